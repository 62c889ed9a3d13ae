-- The cjson library.
local server = ...
local error, floor, getmetatable, next, pcall, rawget, select, setmetatable, tonumber, tostring, type, huge =
    error, math.floor, getmetatable, next, pcall, rawget, select, setmetatable, tonumber, tostring, type, math.huge
local byte, char, find, format, match, sub, gsub, concat = string.byte, string.char, string.find, string.format,
    string.match, string.sub, string.gsub, table.concat

local NULL = server.host.null

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["/"] = "\\/", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n",
    ["\r"] = "\\r", ["\t"] = "\\t", ["\127"] = "\\u007f" }
for i = 0, 31 do
  local c = char(i)
  ESCAPES[c] = ESCAPES[c] or format("\\u%04x", i)
end

local UNESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- The settings are those of the whole server in Redis; here they last as long as the script runs.
local settings = {}
local are_changed = true

local function reset()
  if not are_changed then
    return
  end
  are_changed = false
  settings.encode_max_depth, settings.decode_max_depth, settings.precision = 1000, 1000, 14
  settings.sparse_convert, settings.sparse_ratio, settings.sparse_safe = false, 2, 10
  settings.encode_invalid, settings.decode_invalid = false, true
end

server.before_run = reset

local function set(name, value)
  are_changed = true
  settings[name] = value
end

local function put(out, text)
  out.n = out.n + 1
  out[out.n] = text
  out.bytes = out.bytes + #text
  if out.bytes > 65536 then
    server.check_length(out.bytes)
  end
end

local function fail_encode(kind, why)
  error("Cannot serialise " .. kind .. ": " .. why, 0)
end

local function put_text(out, text)
  put(out, '"')
  if #text * 6 > 65536 then
    server.check_length(#text * 6)
  end
  put(out, (gsub(text, '[%z\1-\31"\\/\127]', ESCAPES)))
  put(out, '"')
end

local function number_text(value)
  if value ~= value or value == huge or value == -huge then
    if settings.encode_invalid == "null" then
      return "null"
    elseif not settings.encode_invalid then
      fail_encode("number", "must not be NaN or Inf")
    end
    return value ~= value and "nan" or value > 0 and "inf" or "-inf"
  end
  return format("%." .. settings.precision .. "g", value)
end

local function array_length(t)
  local count, most = 0, 0
  for key in next, t do
    if type(key) ~= "number" or key < 1 or key ~= floor(key) then
      return nil
    end
    count = count + 1
    if key > most then
      most = key
    end
  end
  if settings.sparse_ratio > 0 and most > count * settings.sparse_ratio and most > settings.sparse_safe then
    if not settings.sparse_convert then
      fail_encode("table", "excessively sparse array")
    end
    return nil
  end
  return most
end

local put_value

local function put_object(out, t, depth)
  put(out, "{")
  local first = true
  for key, value in next, t do
    if not first then
      put(out, ",")
    end
    first = false
    local kind = type(key)
    if kind == "number" then
      put(out, '"' .. number_text(key) .. '":')
    elseif kind == "string" then
      put_text(out, key)
      put(out, ":")
    else
      fail_encode(kind, "table key must be a number or string")
    end
    put_value(out, value, depth)
  end
  put(out, "}")
end

put_value = function(out, value, depth)
  local kind = type(value)
  if kind == "string" then
    put_text(out, value)
  elseif kind == "number" then
    put(out, number_text(value))
  elseif kind == "boolean" then
    put(out, value and "true" or "false")
  elseif kind == "table" then
    depth = depth + 1
    if depth > settings.encode_max_depth then
      error("Cannot serialise, excessive nesting (" .. depth .. ")", 0)
    end
    local length = array_length(value)
    if length and length > 0 then
      put(out, "[")
      for i = 1, length do
        if i > 1 then
          put(out, ",")
        end
        put_value(out, rawget(value, i), depth)
      end
      put(out, "]")
    else
      put_object(out, value, depth)
    end
  elseif kind == "nil" or value == NULL then
    put(out, "null")
  else
    fail_encode(kind, "type not supported")
  end
end

-- Decoding.

local function token_name(text, at)
  local c = sub(text, at, at)
  if c == "" then
    return "T_END"
  elseif c == "{" then
    return "T_OBJ_BEGIN"
  elseif c == "}" then
    return "T_OBJ_END"
  elseif c == "[" then
    return "T_ARR_BEGIN"
  elseif c == "]" then
    return "T_ARR_END"
  elseif c == "," then
    return "T_COMMA"
  elseif c == ":" then
    return "T_COLON"
  elseif c == '"' then
    return "T_STRING"
  elseif sub(text, at, at + 3) == "true" or sub(text, at, at + 4) == "false" then
    return "T_BOOLEAN"
  elseif sub(text, at, at + 3) == "null" then
    return "T_NULL"
  elseif match(text, "^-?%d", at) then
    return "T_NUMBER"
  end
  return "invalid token"
end

local function fail_decode(expected, text, at)
  error("Expected " .. expected .. " but found " .. token_name(text, at) .. " at character " .. at, 0)
end

local function blanks(text, at)
  return (find(text, "[^ \t\n\r]", at)) or #text + 1
end

local function utf8_of(code)
  if code < 128 then
    return char(code)
  elseif code < 2048 then
    return char(192 + floor(code / 64), 128 + code % 64)
  elseif code < 65536 then
    return char(224 + floor(code / 4096), 128 + floor(code / 64) % 64, 128 + code % 64)
  end
  return char(240 + floor(code / 262144), 128 + floor(code / 4096) % 64, 128 + floor(code / 64) % 64, 128 + code % 64)
end

local function read_text(text, start)
  local pieces, n, at = {}, 0, start + 1
  while true do
    local stop = find(text, '["\\%z\1-\31]', at)
    if not stop then
      error("Expected value but found unexpected end of string at character " .. #text + 1, 0)
    end
    n = n + 1
    pieces[n] = sub(text, at, stop - 1)
    local c = sub(text, stop, stop)
    if c == '"' then
      return concat(pieces), stop + 1
    elseif c ~= "\\" then
      error("Expected value but found invalid token at character " .. start, 0)
    end
    local escaped = sub(text, stop + 1, stop + 1)
    if escaped == "u" then
      local code = tonumber(match(text, "^%x%x%x%x", stop + 2) or "", 16)
      at = stop + 6
      if code and code >= 55296 and code < 56320 then
        local low = tonumber(match(text, "^\\u(%x%x%x%x)", at) or "", 16)
        if low and low >= 56320 and low < 57344 then
          code, at = 65536 + (code - 55296) * 1024 + low - 56320, at + 6
        else
          code = nil
        end
      elseif code and code >= 56320 and code < 57344 then
        code = nil
      end
      if not code then
        error("Expected value but found invalid unicode escape code at character " .. stop, 0)
      end
      n = n + 1
      pieces[n] = utf8_of(code)
    else
      local plain = UNESCAPES[escaped]
      if not plain then
        error("Expected value but found invalid escape code at character " .. stop, 0)
      end
      n = n + 1
      pieces[n] = plain
      at = stop + 2
    end
  end
end

local read_value

local function read_number(text, at)
  local word = match(text, "^[-+%w.]+", at)
  local valid = match(word, "^-?%d+%.?%d*[eE]?[-+]?%d*$") or match(word, "^-?0[xX]%x+$")
  local value = valid and tonumber(word)
  if not value then
    -- The longest beginning that is a number; what follows is the next token.
    word = match(text, "^-?%d+%.?%d*[eE][-+]?%d+", at) or match(text, "^-?%d+%.%d+", at) or match(text, "^-?%d+", at)
    value = tonumber(word)
  end
  return value, at + #word
end

local function deeper(depth, at)
  depth = depth + 1
  if depth > settings.decode_max_depth then
    error("Found too many nested data structures (" .. depth .. ") at character " .. at, 0)
  end
  return depth
end

local function read_array(text, at, depth)
  depth = deeper(depth, at)
  local t, n = {}, 0
  at = blanks(text, at + 1)
  if sub(text, at, at) == "]" then
    return t, at + 1
  end
  while true do
    n = n + 1
    t[n], at = read_value(text, at, depth)
    at = blanks(text, at)
    local c = sub(text, at, at)
    if c == "]" then
      return t, at + 1
    elseif c ~= "," then
      fail_decode("comma or array end", text, at)
    end
    at = blanks(text, at + 1)
  end
end

local function read_object(text, at, depth)
  depth = deeper(depth, at)
  local t = {}
  at = blanks(text, at + 1)
  if sub(text, at, at) == "}" then
    return t, at + 1
  end
  while true do
    if sub(text, at, at) ~= '"' then
      fail_decode("object key string", text, at)
    end
    local key
    key, at = read_text(text, at)
    at = blanks(text, at)
    if sub(text, at, at) ~= ":" then
      fail_decode("colon", text, at)
    end
    t[key], at = read_value(text, blanks(text, at + 1), depth)
    at = blanks(text, at)
    local c = sub(text, at, at)
    if c == "}" then
      return t, at + 1
    elseif c ~= "," then
      fail_decode("comma or object end", text, at)
    end
    at = blanks(text, at + 1)
  end
end

read_value = function(text, at, depth)
  local c = sub(text, at, at)
  if c == '"' then
    return read_text(text, at)
  elseif c == "{" then
    return read_object(text, at, depth)
  elseif c == "[" then
    return read_array(text, at, depth)
  elseif match(text, "^-?%d", at) then
    return read_number(text, at)
  elseif sub(text, at, at + 3) == "true" then
    return true, at + 4
  elseif sub(text, at, at + 4) == "false" then
    return false, at + 5
  elseif sub(text, at, at + 3) == "null" then
    return NULL, at + 4
  elseif settings.decode_invalid then
    local word = match(text, "^[-+]?%a+", at)
    local lower = word and word:lower()
    if lower == "nan" or lower == "-nan" then
      return 0 / 0, at + #word
    elseif lower == "inf" or lower == "infinity" or lower == "+inf" then
      return huge, at + #word
    elseif lower == "-inf" or lower == "-infinity" then
      return -huge, at + #word
    end
  end
  fail_decode("value", text, at)
end

local function decode_all(text)
  if #text > 1 and (byte(text, 1) == 0 or byte(text, 2) == 0) then
    error("JSON parser does not support UTF-16 or UTF-32", 0)
  end
  local value, at = read_value(text, blanks(text, 1), 0)
  at = blanks(text, at)
  if at <= #text then
    fail_decode("the end", text, at)
  end
  return value
end

local function one_argument(name, count)
  if count ~= 1 then
    error("bad argument #1 to '" .. name .. "' (expected 1 argument)", 3)
  end
end

local function in_range(value, low, high, position, name)
  local number = tonumber(value)
  if not number or number < low or number > high then
    error("bad argument #" .. position .. " to '" .. name .. "' (expected integer between " .. low .. " and " .. high
        .. ")", 3)
  end
  return number
end

local cjson = { _NAME = "cjson", _VERSION = "2.1.0", null = NULL }

function cjson.encode(...)
  one_argument("encode", select("#", ...))
  local out = { n = 0, bytes = 0 }
  local ok, problem = pcall(put_value, out, (...), 0)
  if not ok then
    error(problem, 2)
  end
  return concat(out, "", 1, out.n)
end

function cjson.decode(...)
  one_argument("decode", select("#", ...))
  local text = ...
  if type(text) ~= "string" and type(text) ~= "number" then
    error("bad argument #1 to 'decode' (string expected, got " .. type(text) .. ")", 2)
  end
  local ok, value = pcall(decode_all, tostring(text))
  if not ok then
    error(value, 2)
  end
  return value
end

function cjson.encode_max_depth(value)
  if value ~= nil then
    set("encode_max_depth", in_range(value, 1, 2147483647, 1, "encode_max_depth"))
  end
  return settings.encode_max_depth
end

function cjson.decode_max_depth(value)
  if value ~= nil then
    set("decode_max_depth", in_range(value, 1, 2147483647, 1, "decode_max_depth"))
  end
  return settings.decode_max_depth
end

function cjson.encode_number_precision(value)
  if value ~= nil then
    set("precision", in_range(value, 1, 14, 1, "encode_number_precision"))
  end
  return settings.precision
end

function cjson.encode_sparse_array(convert, ratio, safe)
  if convert ~= nil then
    set("sparse_convert", convert and true or false)
  end
  if ratio ~= nil then
    set("sparse_ratio", in_range(ratio, 0, 2147483647, 2, "encode_sparse_array"))
  end
  if safe ~= nil then
    set("sparse_safe", in_range(safe, 0, 2147483647, 3, "encode_sparse_array"))
  end
  return settings.sparse_convert, settings.sparse_ratio, settings.sparse_safe
end

function cjson.encode_invalid_numbers(value)
  if value ~= nil then
    set("encode_invalid", value)
  end
  return settings.encode_invalid
end

function cjson.decode_invalid_numbers(value)
  if value ~= nil then
    set("decode_invalid", value)
  end
  return settings.decode_invalid
end

function cjson.encode_keep_buffer()
  return true
end

-- One set of settings per script is what there is.
function cjson.new()
  error("cjson.new is not supported", 2)
end

server.globals.cjson = server.seal(cjson)
