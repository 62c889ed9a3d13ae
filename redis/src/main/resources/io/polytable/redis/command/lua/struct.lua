-- The struct library: pack, unpack and size of C structures.
local server = ...
local error, floor, frexp, ldexp, select, tonumber, type, tostring, unpack, pairs =
    error, math.floor, math.frexp, math.ldexp, select, tonumber, type, tostring, unpack, pairs
local byte, char, rep, reverse, sub, concat, huge = string.byte, string.char, string.rep, string.reverse, string.sub,
    table.concat, math.huge

local SIZES = { b = 1, B = 1, h = 2, H = 2, l = 8, L = 8, T = 8, f = 4, d = 8, x = 1 }

-- IEEE 754, least significant byte first.
local function float_bytes(value, bytes)
  local mantissa_bits, bias, exponent_max = 52, 1023, 2047
  if bytes == 4 then
    mantissa_bits, bias, exponent_max = 23, 127, 255
  end
  local sign = (value < 0 or (value == 0 and 1 / value < 0)) and 1 or 0
  local exponent, mantissa
  local size = value < 0 and -value or value
  if value ~= value then
    exponent, mantissa, sign = exponent_max, 2 ^ (mantissa_bits - 1), 1
  elseif size == huge then
    exponent, mantissa = exponent_max, 0
  elseif size == 0 then
    exponent, mantissa = 0, 0
  else
    local m, e = frexp(size)
    exponent = e - 1 + bias
    if exponent <= 0 then
      mantissa = ldexp(m, e + bias - 1 + mantissa_bits)
      exponent = 0
    else
      mantissa = (m * 2 - 1) * 2 ^ mantissa_bits
    end
    local whole = floor(mantissa)
    local rest = mantissa - whole
    if rest > 0.5 or (rest == 0.5 and whole % 2 == 1) then
      whole = whole + 1
    end
    if whole >= 2 ^ mantissa_bits then
      whole, exponent = whole - 2 ^ mantissa_bits, exponent + 1
    end
    if exponent >= exponent_max then
      exponent, whole = exponent_max, 0
    end
    mantissa = whole
  end
  local out = {}
  local full = bytes == 8 and 6 or 2
  for i = 1, full do
    out[i] = char(mantissa % 256)
    mantissa = floor(mantissa / 256)
  end
  local high_bits = mantissa_bits - full * 8
  local rest = mantissa + exponent * 2 ^ high_bits + sign * 2 ^ (bytes * 8 - 1 - full * 8)
  out[full + 1] = char(rest % 256)
  out[full + 2] = char(floor(rest / 256))
  return concat(out)
end

local function float_of(text, bytes)
  local mantissa_bits, bias, exponent_max = 52, 1023, 2047
  if bytes == 4 then
    mantissa_bits, bias, exponent_max = 23, 127, 255
  end
  local full = bytes == 8 and 6 or 2
  local mantissa = 0
  for i = full, 1, -1 do
    mantissa = mantissa * 256 + byte(text, i)
  end
  local rest = byte(text, full + 1) + 256 * byte(text, full + 2)
  local high_bits = mantissa_bits - full * 8
  mantissa = mantissa + rest % 2 ^ high_bits * 2 ^ (full * 8)
  rest = floor(rest / 2 ^ high_bits)
  local exponent = rest % (exponent_max + 1)
  local sign = rest > exponent_max and -1 or 1
  if exponent == exponent_max then
    return mantissa == 0 and sign * huge or 0 / 0
  end
  if exponent == 0 then
    return sign * ldexp(mantissa, 1 - bias - mantissa_bits)
  end
  return sign * ldexp(1 + mantissa / 2 ^ mantissa_bits, exponent - bias)
end

server.float_bytes, server.float_of = float_bytes, float_of

-- Two's complement of up to 8 bytes, least significant first. A double has 53 bits, so the parts are split.
local function int_bytes(value, bytes)
  local negative = value < 0
  local whole = negative and -floor(value + 0.9999999999999999) or floor(value)
  if negative then
    whole = value >= 0 and 0 or -(value - value % 1 == value and value or (value - value % 1 + 1))
  end
  local out, carry = {}, 1
  for i = 1, bytes do
    local digit = whole % 256
    whole = floor(whole / 256)
    if negative then
      digit = 255 - digit + carry
      carry = digit == 256 and 1 or 0
      digit = digit % 256
    end
    out[i] = char(digit)
  end
  return concat(out)
end

local function int_of(text, signed)
  local bytes = #text
  local negative = signed and byte(text, bytes) >= 128
  local value, scale = 0, 1
  for i = 1, bytes do
    local digit = byte(text, i)
    value = value + (negative and 255 - digit or digit) * scale
    scale = scale * 256
  end
  return negative and -value - 1 or value
end

server.int_bytes, server.int_of = int_bytes, int_of

-- Walks through the format; calls step(option, size, padding, little) and adds what it returns to the offset.
local function walk(name, format, at, step)
  local position, little, alignment = 1, true, 1
  local function number(default)
    local digits = format:match("^%d+", position)
    if not digits then
      return default
    end
    position = position + #digits
    local value = tonumber(digits)
    if value > 2147483647 then
      error("integral size overflow", 0)
    end
    return value
  end
  while position <= #format do
    local option = sub(format, position, position)
    position = position + 1
    local size = SIZES[option]
    if option == "i" or option == "I" then
      size = number(4)
      if size > 32 then
        error("integral size " .. size .. " is larger than limit of 32", 0)
      end
    elseif option == "c" then
      size = number(1)
    elseif option == "s" then
      size = 0
    end
    if option == " " then
      size = nil
    elseif option == ">" then
      little = false
    elseif option == "<" then
      little = true
    elseif option == "!" then
      local wanted = number(8)
      local power = wanted
      while power > 1 and power % 2 == 0 do
        power = power / 2
      end
      if wanted == 0 or power ~= 1 then
        error("alignment is not a power of 2", 0)
      end
      alignment = wanted
    elseif size == nil then
      error("bad argument #1 to '" .. name .. "' (invalid format option '" .. option .. "')", 0)
    else
      local padding = 0
      if size ~= 0 and option ~= "c" and size > 1 then
        local align = size < alignment and size or alignment
        if align > 1 then
          padding = (align - at % align) % align
        end
      end
      at = at + padding
      at = at + step(option, size, padding, little, at)
    end
  end
  return at
end

local function raised(name, ok, ...)
  if not ok then
    local text = (...)
    if type(text) ~= "string" then
      error(text, 0)
    end
    error(text, 3)
  end
  return ...
end

local pcall = pcall

local function argument(position, name, expected, value)
  error("bad argument #" .. position .. " to '" .. name .. "' (" .. expected .. " expected, got "
      .. (value == nil and "no value" or type(value)) .. ")", 0)
end

local function pack(format, ...)
  if type(format) ~= "string" then
    argument(1, "pack", "string", format)
  end
  local values, next_value, out, n = { ... }, 0, {}, 0
  local total = 0
  walk("pack", format, 0, function(option, size, padding, little)
    total = total + size + padding
    server.check_length(total)
    local text
    if option == "x" then
      text = "\0"
    else
      next_value = next_value + 1
      local value = values[next_value]
      if option == "s" or option == "c" then
        if type(value) ~= "string" and type(value) ~= "number" then
          argument(next_value + 1, "pack", "string", value)
        end
        value = tostring(value)
        if size == 0 then
          size = #value
        end
        if #value < size then
          error("bad argument #" .. (next_value + 2) .. " to 'pack' (string too short)", 0)
        end
        text = sub(value, 1, size)
        if option == "s" then
          text = text .. "\0"
        end
      else
        local number = tonumber(value)
        if not number then
          error("bad argument #" .. (next_value + 1) .. " to 'pack' (number expected, got " .. type(value) .. ")", 0)
        end
        if option == "f" or option == "d" then
          text = float_bytes(number, size)
        else
          text = int_bytes(number, size)
        end
        if not little then
          text = reverse(text)
        end
      end
    end
    n = n + 1
    out[n] = rep("\0", padding) .. text
    return #text
  end)
  return concat(out)
end

local function unpack_all(format, data, from)
  if type(format) ~= "string" then
    argument(1, "unpack", "string", format)
  end
  if type(data) ~= "string" then
    argument(2, "unpack", "string", data)
  end
  local start = (from == nil and 1 or floor(tonumber(from) or argument(3, "unpack", "number", from))) - 1
  if start < 0 then
    error("bad argument #3 to 'unpack' (offset must be 1 or greater)", 0)
  end
  local results, n = {}, 0
  local stop = walk("unpack", format, start, function(option, size, padding, little, at)
    if at + size > #data then
      error("bad argument #2 to 'unpack' (data string too short)", 0)
    end
    if option == "x" then
      return 1
    end
    local value, used
    if option == "c" then
      if size == 0 then
        local length = results[n]
        if type(length) ~= "number" then
          error("format 'c0' needs a previous size", 0)
        end
        results[n] = nil
        n = n - 1
        size = length
        if at + size > #data then
          error("bad argument #2 to 'unpack' (data string too short)", 0)
        end
      end
      value, used = sub(data, at + 1, at + size), size
    elseif option == "s" then
      local stop_at = data:find("\0", at + 1, true)
      if not stop_at then
        error("unfinished string in data", 0)
      end
      value, used = sub(data, at + 1, stop_at - 1), stop_at - at
    else
      local text = sub(data, at + 1, at + size)
      if not little then
        text = reverse(text)
      end
      if option == "f" or option == "d" then
        value = float_of(text, size)
      else
        value = int_of(text, option == "b" or option == "h" or option == "l" or option == "i")
      end
      used = size
    end
    n = n + 1
    if n > 7000 then
      error("too many results", 0)
    end
    results[n] = value
    return used
  end)
  results[n + 1] = stop + 1
  return unpack(results, 1, n + 1)
end

local struct = {}

function struct.pack(...)
  return raised("pack", pcall(pack, ...))
end

function struct.unpack(...)
  return raised("unpack", pcall(unpack_all, ...))
end

function struct.size(format)
  return raised("size", pcall(function()
    if type(format) ~= "string" then
      argument(1, "size", "string", format)
    end
    return walk("size", format, 0, function(option, size)
      if option == "s" then
        error("bad argument #1 to 'size' (option 's' has no fixed size)", 0)
      elseif option == "c" and size == 0 then
        error("bad argument #1 to 'size' (option 'c0' has no fixed size)", 0)
      end
      return size
    end)
  end))
end

server.globals.struct = server.seal(struct)
