-- The cmsgpack library.
local server = ...
local error, floor, ipairs, next, pcall, rawget, select, tonumber, type, unpack, huge =
    error, math.floor, ipairs, next, pcall, rawget, select, tonumber, type, unpack, math.huge
local byte, char, reverse, sub, concat = string.byte, string.char, string.reverse, string.sub, table.concat
local float_bytes, float_of, int_bytes, int_of = server.float_bytes, server.float_of, server.int_bytes, server.int_of

local NESTING_MAX = 16

local function big_int(value, bytes)
  return reverse(int_bytes(value, bytes))
end

local function put(out, text)
  out.n = out.n + 1
  out[out.n] = text
  out.bytes = out.bytes + #text
  if out.bytes > 65536 then
    server.check_length(out.bytes)
  end
end

local function put_int(out, value)
  if value >= 0 then
    if value <= 127 then
      put(out, char(value))
    elseif value <= 255 then
      put(out, "\204" .. char(value))
    elseif value <= 65535 then
      put(out, "\205" .. big_int(value, 2))
    elseif value <= 4294967295 then
      put(out, "\206" .. big_int(value, 4))
    else
      put(out, "\207" .. big_int(value, 8))
    end
  elseif value >= -32 then
    put(out, char(256 + value))
  elseif value >= -128 then
    put(out, "\208" .. char(256 + value))
  elseif value >= -32768 then
    put(out, "\209" .. big_int(value, 2))
  elseif value >= -2147483648 then
    put(out, "\210" .. big_int(value, 4))
  else
    put(out, "\211" .. big_int(value, 8))
  end
end

local function put_number(out, value)
  if value == floor(value) and value >= -9223372036854775808 and value < 9223372036854775808 then
    return put_int(out, value)
  end
  local short = float_bytes(value, 4)
  if float_of(short, 4) == value then
    put(out, "\202" .. reverse(short))
  else
    put(out, "\203" .. reverse(float_bytes(value, 8)))
  end
end

local function put_text(out, value)
  local length = #value
  if length < 32 then
    put(out, char(160 + length))
  elseif length <= 255 then
    put(out, "\217" .. char(length))
  elseif length <= 65535 then
    put(out, "\218" .. big_int(length, 2))
  else
    put(out, "\219" .. big_int(length, 4))
  end
  put(out, value)
end

local function put_count(out, count, small, two, four)
  if count <= 15 then
    put(out, char(small + count))
  elseif count <= 65535 then
    put(out, two .. big_int(count, 2))
  else
    put(out, four .. big_int(count, 4))
  end
end

-- An array has the keys 1 to n and no others.
local function array_length(t)
  local count, most = 0, 0
  for key in next, t do
    if type(key) ~= "number" or key <= 0 or key ~= floor(key) then
      return nil
    end
    count = count + 1
    if key > most then
      most = key
    end
  end
  return count == most and count or nil
end

local put_value

local function put_table(out, t, depth)
  local length = array_length(t)
  if length then
    put_count(out, length, 144, "\220", "\221")
    for i = 1, length do
      put_value(out, rawget(t, i), depth + 1)
    end
    return
  end
  local count = 0
  for _ in next, t do
    count = count + 1
  end
  put_count(out, count, 128, "\222", "\223")
  for key, value in next, t do
    put_value(out, key, depth + 1)
    put_value(out, value, depth + 1)
  end
end

put_value = function(out, value, depth)
  local kind = type(value)
  if kind == "string" then
    put_text(out, value)
  elseif kind == "number" then
    put_number(out, value)
  elseif kind == "boolean" then
    put(out, value and "\195" or "\194")
  elseif kind == "table" and depth < NESTING_MAX then
    put_table(out, value, depth)
  else
    put(out, "\192")
  end
end

local function failed()
  error("Bad data format in input.", 0)
end

local function short()
  error("Missing bytes in input.", 0)
end

local read

local function take(data, at, count)
  if at + count - 1 > #data then
    short()
  end
  return sub(data, at, at + count - 1), at + count
end

local function uint(data, at, bytes)
  local text
  text, at = take(data, at, bytes)
  return int_of(reverse(text), false), at
end

local function sint(data, at, bytes)
  local text
  text, at = take(data, at, bytes)
  return int_of(reverse(text), true), at
end

local function read_array(data, at, count, depth)
  local t = {}
  for i = 1, count do
    local value
    value, at = read(data, at, depth + 1)
    t[i] = value
  end
  return t, at
end

local function read_map(data, at, count, depth)
  local t = {}
  for _ = 1, count do
    local key, value
    key, at = read(data, at, depth + 1)
    value, at = read(data, at, depth + 1)
    if key == nil or key ~= key then
      failed()
    end
    t[key] = value
  end
  return t, at
end

read = function(data, at, depth)
  if at > #data then
    short()
  end
  if depth > 1000 then
    failed()
  end
  local tag = byte(data, at)
  at = at + 1
  local count
  if tag <= 127 then
    return tag, at
  elseif tag <= 143 then
    return read_map(data, at, tag - 128, depth)
  elseif tag <= 159 then
    return read_array(data, at, tag - 144, depth)
  elseif tag <= 191 then
    return take(data, at, tag - 160)
  elseif tag >= 224 then
    return tag - 256, at
  elseif tag == 192 then
    return nil, at
  elseif tag == 194 then
    return false, at
  elseif tag == 195 then
    return true, at
  elseif tag == 202 then
    local text
    text, at = take(data, at, 4)
    return float_of(reverse(text), 4), at
  elseif tag == 203 then
    local text
    text, at = take(data, at, 8)
    return float_of(reverse(text), 8), at
  elseif tag >= 204 and tag <= 207 then
    return uint(data, at, 2 ^ (tag - 204))
  elseif tag >= 208 and tag <= 211 then
    return sint(data, at, 2 ^ (tag - 208))
  elseif tag >= 196 and tag <= 198 then
    count, at = uint(data, at, 2 ^ (tag - 196))
    return take(data, at, count)
  elseif tag >= 217 and tag <= 219 then
    count, at = uint(data, at, 2 ^ (tag - 217))
    return take(data, at, count)
  elseif tag == 220 or tag == 221 then
    count, at = uint(data, at, tag == 220 and 2 or 4)
    return read_array(data, at, count, depth)
  elseif tag == 222 or tag == 223 then
    count, at = uint(data, at, tag == 222 and 2 or 4)
    return read_map(data, at, count, depth)
  end
  failed()
end

local function read_all(data, limit, at)
  local values, n = {}, 0
  while at <= #data and (limit == 0 or n < limit) do
    n = n + 1
    if n > 7000 then
      error("too many objects in input", 0)
    end
    values[n], at = read(data, at, 1)
  end
  return values, n, at
end

local function argument(position, name, value)
  error("bad argument #" .. position .. " to '" .. name .. "' (string expected, got "
      .. (value == nil and "no value" or type(value)) .. ")", 3)
end

local cmsgpack = { _NAME = "cmsgpack", _VERSION = "lua-cmsgpack 0.4.0",
    _COPYRIGHT = "Copyright (C) 2012, Salvatore Sanfilippo", _DESCRIPTION = "MessagePack C implementation for Lua" }

function cmsgpack.pack(...)
  local count = select("#", ...)
  if count == 0 then
    error("bad argument #0 to 'pack' (MessagePack pack needs input.)", 2)
  end
  local out = { n = 0, bytes = 0 }
  for i = 1, count do
    put_value(out, (select(i, ...)), 0)
  end
  return concat(out, "", 1, out.n)
end

function cmsgpack.unpack(data)
  if type(data) ~= "string" then
    argument(1, "unpack", data)
  end
  local ok, values, n = pcall(read_all, data, 0, 1)
  if not ok then
    error(values, 2)
  end
  return unpack(values, 1, n)
end

local function limited(data, limit, offset, level)
  local ok, values, n, at = pcall(read_all, data, limit, (offset or 0) + 1)
  if not ok then
    error(values, level + 1)
  end
  return at > #data and -1 or at - 1, unpack(values, 1, n)
end

local function check_offset(data, offset, level)
  if offset ~= nil and (offset < 0 or offset > #data) then
    error("Start offset " .. offset .. " greater than input length " .. #data .. ".", level + 1)
  end
end

function cmsgpack.unpack_one(data, offset)
  if type(data) ~= "string" then
    argument(1, "unpack_one", data)
  end
  offset = tonumber(offset)
  check_offset(data, offset, 2)
  return limited(data, 1, offset, 2)
end

function cmsgpack.unpack_limit(data, limit, offset)
  if type(data) ~= "string" then
    argument(1, "unpack_limit", data)
  end
  offset = tonumber(offset)
  check_offset(data, offset, 2)
  return limited(data, tonumber(limit) or 0, offset, 2)
end

server.globals.cmsgpack = server.seal(cmsgpack)
