-- The bit library: 32-bit numbers, signed results.
local server = ...
local host, globals = server.host, server.globals
local error, select, tonumber, type, format, ipairs = error, select, tonumber, type, string.format, ipairs
local bits = host.bits

local function number(value, position, name)
  local n = tonumber(value)
  if not n or (type(value) ~= "number" and type(value) ~= "string") then
    local kind = value == nil and "no value" or type(value)
    error("bad argument #" .. position .. " to '" .. name .. "' (number expected, got " .. kind .. ")", 3)
  end
  return n
end

local bit = {}

for _, name in ipairs({ "tobit", "bnot", "bswap" }) do
  bit[name] = function(a)
    return bits(name, number(a, 1, name), 0)
  end
end

for _, name in ipairs({ "band", "bor", "bxor" }) do
  bit[name] = function(a, ...)
    local result = bits("tobit", number(a, 1, name), 0)
    for i = 1, select("#", ...) do
      result = bits(name, result, number((select(i, ...)), i + 1, name))
    end
    return result
  end
end

for _, name in ipairs({ "lshift", "rshift", "arshift", "rol", "ror" }) do
  bit[name] = function(a, n)
    return bits(name, number(a, 1, name), number(n, 2, name))
  end
end

function bit.tohex(a, digits)
  local value = bits("tobit", number(a, 1, "tohex"), 0)
  local count = digits == nil and 8 or bits("tobit", number(digits, 2, "tohex"), 0)
  local upper = count < 0
  count = upper and -count or count
  if count > 8 then
    count = 8
  end
  if value < 0 then
    value = value + 4294967296
  end
  local text = format(upper and "%08X" or "%08x", value)
  return text:sub(9 - count)
end

globals.bit = server.seal(bit)
