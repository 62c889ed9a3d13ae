-- Builds the sandbox of a state, once. Gets the server's functions and the limits; returns the functions that the
-- server calls, each inside a protected call.
local host, limits = ...

local assert, error, getmetatable, ipairs, loadstring, next, pairs, pcall, rawequal =
    assert, error, getmetatable, ipairs, loadstring, next, pairs, pcall, rawequal
local rawget, rawset, select, setfenv, setmetatable, tonumber, tostring, type, unpack, xpcall =
    rawget, rawset, select, setfenv, setmetatable, tonumber, tostring, type, unpack, xpcall
local collectgarbage, floor, debug = collectgarbage, math.floor, debug
local sethook, getinfo = debug.sethook, debug.getinfo
local call, quick_call, learn = host.call, host.quick_call, host.learn
local tick, sha1hex, log, know, random, seed, refine = host.tick, host.sha1hex, host.log, host.know, host.random,
    host.seed, host.refine
local may_use_coroutines = host.may_use_coroutines

local READONLY = "Attempt to modify a readonly table"

-- Time and memory. A hook that only raised could be caught by pcall again and again: from the first time on, the hook
-- runs at every instruction, so that no code of the script runs any more.

local hook
-- Whether code of a script runs, whether it has returned, and whether the hook is installed. It stays installed between
-- runs, which is cheaper; so it may run before the script does.
local active, returned, armed = false, false, false

-- The hook's instructions are counted across runs: its first time in a run says nothing of how long the run takes.
local is_first

local function arm()
  active, returned, is_first = true, false, true
  if not armed then
    armed = true
    sethook(hook, "", limits.instructions)
  end
end

local function disarm()
  active = false
  if not armed then
    sethook()
  end
end

local function die()
  armed = false
  sethook(hook, "crl", 1)
  error("Script stopped", 0)
end

-- The functions that the server calls to run code of a script.
local entries = {}

hook = function()
  if not active then
    return
  end
  local is_short = is_first
  is_first = false
  if tick(collectgarbage("count"), is_short) then
    local at = getinfo(2, "f")
    if at and entries[at.func] then
      if returned then
        armed = false
        sethook()
      end
    elseif not at or (at.func ~= xpcall and at.func ~= pcall) then
      die()
    end
  end
end

local function check_memory()
  if tick(collectgarbage("count")) then
    die()
  end
end

-- Raises unless a string of so many bytes may be built.
local function check_length(bytes)
  if bytes > limits.string_bytes then
    error("not enough memory", 0)
  end
  if bytes > limits.small_bytes then
    check_memory()
  end
end

local function type_name(value)
  return value == nil and "no value" or type(value)
end

local function check_string(value, position, name)
  local kind = type(value)
  if kind ~= "string" and kind ~= "number" then
    error("bad argument #" .. position .. " to '" .. name .. "' (string expected, got " .. type_name(value) .. ")", 3)
  end
  return kind == "string" and value or tostring(value)
end

local function check_number(value, position, name)
  local number = tonumber(value)
  if not number or type(value) == "table" then
    error("bad argument #" .. position .. " to '" .. name .. "' (number expected, got " .. type_name(value) .. ")", 3)
  end
  return number
end

local function check_table(value, position, name)
  if type(value) ~= "table" then
    error("bad argument #" .. position .. " to '" .. name .. "' (table expected, got " .. type_name(value) .. ")", 3)
  end
end

-- Read-only tables: an empty table in front of the real one. Raw functions must know them.

local real = setmetatable({}, { __mode = "k" })
local shown_metatables = setmetatable({}, { __mode = "k" })
local seals = {}

local function refuse_change()
  error(READONLY, 2)
end

local function seal(target)
  local front = setmetatable({}, { __index = target, __newindex = refuse_change })
  real[front] = target
  seals[#seals + 1] = front
  return front
end

-- Whether a script has had access to raw functions of the table library, which write into any table.
local has_raw_functions = false

-- Whether one of them wrote into a read-only table: the state must not be used again.
local function is_clean()
  if not has_raw_functions then
    return true
  end
  for i = 1, #seals do
    if next(seals[i]) ~= nil then
      return false
    end
  end
  return true
end

local base = {
  assert = assert, error = error, ipairs = ipairs, rawequal = rawequal, select = select,
  tonumber = tonumber, tostring = tostring, type = type, unpack = unpack, _VERSION = _VERSION,
}

local function next_of(t, key)
  return next(real[t] or t, key)
end

-- The table behind a read-only one, which may be the table library.
local function behind(t)
  local target = real[t]
  if target then
    has_raw_functions = true
  end
  return target or t
end

function base.next(t, key)
  check_table(t, 1, "next")
  local k, v = next(behind(t), key)
  return k, v
end

function base.pairs(t)
  check_table(t, 1, "pairs")
  return behind(t) ~= t and next_of or next, t, nil
end

function base.rawget(t, key)
  check_table(t, 1, "rawget")
  return rawget(behind(t), key)
end

function base.rawset(t, key, value)
  check_table(t, 1, "rawset")
  if real[t] then
    error(READONLY, 0)
  end
  return rawset(t, key, value)
end

function base.getmetatable(value)
  if type(value) == "string" then
    return shown_metatables.string
  end
  if type(value) == "table" and real[value] then
    return shown_metatables[value]
  end
  return getmetatable(value)
end

function base.setmetatable(t, metatable)
  check_table(t, 1, "setmetatable")
  if real[t] then
    error(READONLY, 0)
  end
  if metatable ~= nil and type(metatable) ~= "table" then
    error("bad argument #2 to 'setmetatable' (nil or table expected)", 2)
  end
  -- A finalizer would run outside the script's limits; Lua 5.1 has them for userdata only.
  return setmetatable(t, metatable)
end

-- Lua calls a handler inside the hook that raised, where no hook can stop it: here it runs after the call.
local function handled(handler, ok, ...)
  if ok then
    return true, ...
  end
  local done, result = pcall(handler, (...))
  return false, result
end

-- As Redis: of an error table, the caller sees the text.
local function caught(ok, ...)
  if ok then
    return true, ...
  end
  local problem = ...
  if type(problem) == "table" and type(problem.err) == "string" then
    return false, problem.err
  end
  return false, ...
end

function base.pcall(...)
  if select("#", ...) == 0 then
    error("bad argument #1 to 'pcall' (value expected)", 2)
  end
  return caught(pcall(...))
end

function base.xpcall(body, handler)
  return handled(handler, pcall(body))
end

function base.collectgarbage(option)
  option = option or "collect"
  if option == "count" then
    return collectgarbage("count")
  end
  return 0
end

function base.gcinfo()
  return floor(collectgarbage("count"))
end

-- The global environment of scripts.

-- Not among the globals that a script can list: the checks that `refine` puts before each concatenation.
local hidden = setmetatable({}, {
  __index = function(_, name)
    error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
  end,
})

local concat_bytes = 0

local function bytes_of(value)
  return type(value) == "string" and #value or 32
end

hidden["(concat)"] = function(first, second, ...)
  local bytes = bytes_of(first) + bytes_of(second)
  for i = 1, select("#", ...) do
    bytes = bytes + bytes_of((select(i, ...)))
  end
  concat_bytes = bytes
  if bytes > limits.small_bytes then
    check_length(bytes)
  end
end

hidden["(concat more)"] = function(...)
  local bytes = concat_bytes
  for i = 1, select("#", ...) do
    bytes = bytes + bytes_of((select(i, ...)))
  end
  concat_bytes = bytes
  if bytes > limits.small_bytes then
    check_length(bytes)
  end
end

local globals = setmetatable(base, { __index = hidden })
local environment = seal(globals)
globals._G = environment
shown_metatables[environment] = seal({})

-- Compiles text, never bytecode, into a function of the sandbox. `refine` returns bytecode in which every
-- concatenation checks its length first.
local function compile(text, name, within)
  if text:sub(1, 1) == "\27" then
    return nil, "precompiled chunks are not allowed"
  end
  local chunk, problem = loadstring(text, name)
  if not chunk then
    return nil, problem
  end
  local refined = refine(chunk)
  if not refined then
    return nil, "the script is too complex"
  end
  return setfenv(refined, within or environment)
end

function base.loadstring(text, name)
  text = check_string(text, 1, "loadstring")
  return compile(text, name or text)
end

function base.load(reader, name)
  if type(reader) ~= "function" then
    error("bad argument #1 to 'load' (function expected, got " .. type_name(reader) .. ")", 2)
  end
  local pieces, bytes = {}, 0
  while true do
    local piece = reader()
    if piece == nil or piece == "" then
      break
    end
    if type(piece) ~= "string" then
      return nil, "reader function must return a string"
    end
    bytes = bytes + #piece
    check_length(bytes)
    pieces[#pieces + 1] = piece
  end
  return compile(table.concat(pieces), name or "=(load)")
end

-- Libraries. What builds strings checks their length before.

local function copy(library, names)
  local made = {}
  for name in names:gmatch("%S+") do
    made[name] = library[name]
  end
  return made
end

local strings = copy(string, "byte char dump find format gfind gmatch gsub len lower match rep reverse sub upper")
local rep, format, gsub, find, match, gmatch, sub = string.rep, string.format, string.gsub, string.find, string.match,
    string.gmatch, string.sub

function strings.rep(text, times)
  text = check_string(text, 1, "rep")
  times = check_number(times, 2, "rep")
  if times > 0 then
    check_length(#text * times)
  end
  return (rep(text, times))
end

function strings.format(pattern, ...)
  pattern = check_string(pattern, 1, "format")
  local bytes, count = #pattern * 128, select("#", ...)
  for i = 1, count do
    local value = select(i, ...)
    if type(value) == "string" then
      -- Quoting makes up to four bytes of one.
      bytes = bytes + 4 * #value
    end
  end
  check_length(bytes)
  local ok, text = pcall(format, pattern, ...)
  if not ok then
    error((gsub(text, "'%?'", "'format'", 1)), 2)
  end
  return text
end

for _, name in ipairs({ "lower", "upper", "reverse" }) do
  local original = string[name]
  strings[name] = function(text)
    text = check_string(text, 1, name)
    check_length(#text)
    return (original(text))
  end
end

-- The matcher's recursion in C is as deep as the pattern is long.
local function check_pattern(pattern, name)
  pattern = check_string(pattern, 2, name)
  if #pattern > limits.pattern_bytes then
    error("pattern too complex", 3)
  end
  return pattern
end

local function relay(name, ok, ...)
  if not ok then
    error((gsub(tostring((...)), "'%?'", "'" .. name .. "'", 1)), 3)
  end
  return ...
end

function strings.find(text, pattern, init, plain)
  if not plain then
    pattern = check_pattern(pattern, "find")
  end
  return relay("find", pcall(find, text, pattern, init, plain))
end

function strings.match(text, pattern, init)
  pattern = check_pattern(pattern, "match")
  check_length(type(text) == "string" and #text or 0)
  return relay("match", pcall(match, text, pattern, init))
end

function strings.gmatch(text, pattern)
  text = check_string(text, 1, "gmatch")
  pattern = check_pattern(pattern, "gmatch")
  return gmatch(text, pattern)
end
strings.gfind = strings.gmatch

function strings.sub(text, from, to)
  text = check_string(text, 1, "sub")
  from = check_number(from, 2, "sub")
  to = to == nil and -1 or check_number(to, 3, "sub")
  check_length(#text)
  return (sub(text, from, to))
end

local gsub_depth = 0

function strings.gsub(text, pattern, replacement, most)
  text = check_string(text, 1, "gsub")
  pattern = check_pattern(pattern, "gsub")
  local kind = type(replacement)
  local built, room = #text, 0
  local by = replacement
  if kind == "string" or kind == "number" then
    by = tostring(replacement)
    -- Every match may be replaced by the text and, for each capture named in it, by as much as the text has.
    local captures = select(2, gsub(by, "%%%d", ""))
    local times = most and math.min(check_number(most, 4, "gsub"), #text + 1) or #text + 1
    check_length(#text + times * #by + captures * #text)
  elseif kind == "table" or kind == "function" then
    by = function(...)
      local value
      if kind == "table" then
        value = replacement[(...)]
      else
        value = replacement(...)
      end
      if type(value) == "string" then
        built = built + #value
        check_length(built)
      end
      return value
    end
  else
    error("bad argument #3 to 'gsub' (string/function/table expected)", 2)
  end
  if gsub_depth >= limits.gsub_depth then
    error("stack overflow", 2)
  end
  gsub_depth = gsub_depth + 1
  local ok, result, count
  if most == nil then
    ok, result, count = pcall(gsub, text, pattern, by)
  else
    ok, result, count = pcall(gsub, text, pattern, by, most)
  end
  gsub_depth = gsub_depth - 1
  if not ok then
    error(type(result) == "string" and gsub(result, "'%?'", "'gsub'", 1) or result, type(result) == "string" and
        not find(result, "^[^:]+:%d+:") and 2 or 0)
  end
  return result, count
end

local tables = copy(table, "concat foreach foreachi getn insert maxn remove setn sort")
local concat = table.concat

function tables.concat(t, separator, from, to)
  check_table(t, 1, "concat")
  local between = separator == nil and 0 or #check_string(separator, 2, "concat")
  local first = from == nil and 1 or check_number(from, 3, "concat")
  local last = to == nil and #t or check_number(to, 4, "concat")
  local bytes = 0
  for i = first, last do
    local value = rawget(t, i)
    local kind = type(value)
    if kind ~= "string" and kind ~= "number" then
      error("invalid value (" .. kind .. ") at index " .. format("%d", i) .. " in table for 'concat'", 2)
    end
    bytes = bytes + between + (kind == "string" and #value or 32)
    if bytes > limits.small_bytes then
      check_length(bytes)
    end
  end
  return (concat(t, separator, first, last))
end

local maths = copy(math, "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min "
    .. "mod modf pi pow rad sin sinh sqrt tan tanh")

function maths.random(low, high)
  local r = random()
  if low == nil then
    return r
  end
  low = floor(check_number(low, 1, "random"))
  if high == nil then
    if low < 1 then
      error("bad argument #1 to 'random' (interval is empty)", 2)
    end
    return floor(r * low) + 1
  end
  high = floor(check_number(high, 2, "random"))
  if low > high then
    error("bad argument #2 to 'random' (interval is empty)", 2)
  end
  return floor(r * (high - low + 1)) + low
end

function maths.randomseed(value)
  seed(check_number(value, 1, "randomseed"))
end

-- Each coroutine has a hook of its own, and needs the C stack of a worker's thread.

local create, resume = coroutine.create, coroutine.resume
local coroutines = copy(coroutine, "running status yield")
local resume_depth = 0

function coroutines.create(body)
  if type(body) ~= "function" then
    error("bad argument #1 to 'create' (Lua function expected)", 2)
  end
  if may_use_coroutines() then
    die()
  end
  local made = create(body)
  sethook(made, hook, "", limits.instructions)
  return made
end

local function resumed(...)
  resume_depth = resume_depth - 1
  return ...
end

function coroutines.resume(co, ...)
  if type(co) ~= "thread" then
    error("bad argument #1 to 'resume' (coroutine expected)", 2)
  end
  if resume_depth >= limits.resume_depth then
    return false, "C stack overflow"
  end
  resume_depth = resume_depth + 1
  return resumed(resume(co, ...))
end

local function passed_on(ok, ...)
  if not ok then
    error((...), 3)
  end
  return ...
end

function coroutines.wrap(body)
  if type(body) ~= "function" then
    error("bad argument #1 to 'wrap' (Lua function expected)", 2)
  end
  local co = coroutines.create(body)
  return function(...)
    return passed_on(coroutines.resume(co, ...))
  end
end

-- The redis table.

local redis = {
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  REPL_NONE = 0, REPL_AOF = 1, REPL_SLAVE = 2, REPL_REPLICA = 2, REPL_ALL = 3,
  REDIS_VERSION = limits.version, REDIS_VERSION_NUM = limits.version_number,
}

-- Raised with a position of its own: the handler adds source and line.
local function fail(text)
  error({ err = text }, 0)
end

-- Strings are costly to pass. A call of two or three words goes as one number if the server knows them: the name of a
-- command that was called before, and one of the first words of the run.

local names, named = {}, 0
local NO_WORD = {}
local word_1, word_2, word_3 = NO_WORD, NO_WORD, NO_WORD

-- What the last call returned: the server has it as well.
local last

local function keep_name(name)
  if type(name) == "string" and not names[name] and named < limits.names and #name <= limits.name_bytes then
    -- The server first: a script may be stopped between any two instructions.
    local _, stopped = learn(named + 1, name)
    if not stopped then
      named = named + 1
      names[name] = named
    end
  end
end

local function send_strings(...)
  local value, problem = call(...)
  if not problem then
    keep_name((...))
  end
  return value, problem
end

local function send(...)
  local count = select("#", ...)
  if count == 2 or count == 3 then
    local name, a, b = ...
    local code = names[name]
    local at = a == word_1 and 1 or a == word_2 and 2 or a == word_3 and 3
    if code and at then
      if count == 2 then
        return quick_call(code * 16 + at)
      end
      local other = b == word_1 and 1 or b == word_2 and 2 or b == word_3 and 3
      if other then
        return quick_call(code * 16 + other * 4 + at)
      end
    end
  end
  return send_strings(...)
end

-- The server's functions return a value, or nil and a problem: a text, true when the script must end, false for the
-- status OK.

function redis.call(...)
  local value, problem = send(...)
  if problem == nil then
    last = value
    return value
  end
  if problem == false then
    return { ok = "OK" }
  end
  if problem == true then
    die()
  end
  error({ err = problem }, 0)
end

function redis.pcall(...)
  local value, problem = send(...)
  if problem == nil then
    last = value
    return value
  end
  if problem == false then
    return { ok = "OK" }
  end
  if problem == true then
    die()
  end
  return { err = problem }
end

function redis.error_reply(...)
  local text = ...
  if select("#", ...) ~= 1 or type(text) ~= "string" then
    return { err = "ERR wrong number or type of arguments" }
  end
  if sub(text, 1, 1) == "-" then
    return { err = sub(text, 2) }
  end
  return { err = find(text, " ", 1, true) and text or "ERR " .. text }
end

function redis.status_reply(...)
  local text = ...
  if select("#", ...) ~= 1 or type(text) ~= "string" then
    return { err = "ERR wrong number or type of arguments" }
  end
  return { ok = text }
end

function redis.sha1hex(...)
  if select("#", ...) ~= 1 then
    fail("ERR wrong number of arguments")
  end
  local text = ...
  local kind = type(text)
  return sha1hex((kind == "string" or kind == "number") and tostring(text) or "")
end

function redis.log(...)
  if select("#", ...) < 2 then
    fail("ERR redis.log() requires two arguments or more.")
  end
  local level = ...
  if type(level) ~= "number" then
    fail("ERR First argument must be a number (log level).")
  end
  if level < 0 or level > 3 then
    fail("ERR Invalid debug level.")
  end
  local words = {}
  for i = 2, select("#", ...) do
    local word = select(i, ...)
    if type(word) == "string" or type(word) == "number" then
      words[#words + 1] = word
    end
  end
  log(level, tables.concat(words, " "))
end

function redis.setresp(...)
  if select("#", ...) ~= 1 then
    fail("ERR redis.setresp() requires one argument.")
  end
  local version = tonumber((...))
  if version ~= 2 and version ~= 3 then
    fail("ERR RESP version must be 2 or 3.")
  end
  host.setresp(version)
end

-- Commits are logged as rows: there is nothing to choose.
function redis.set_repl(...)
  if select("#", ...) ~= 1 then
    fail("ERR redis.set_repl() requires two arguments.")
  end
  local flags = tonumber((...))
  if not flags or flags < 0 or flags > 3 then
    fail("ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.")
  end
end

function redis.replicate_commands()
  return true
end

function redis.breakpoint()
  return false
end

function redis.debug() end

function redis.acl_check_cmd(...)
  local allowed, problem = know(...)
  if problem ~= nil then
    fail(problem)
  end
  return allowed
end

-- The error handler of a script: as Redis, it turns every error into a table with the place where it was raised.

local function is_own(info)
  return info.source == "=redis" or info.what == "tail"
end

local function handle(problem)
  local level = 2
  local info = getinfo(level, "Sl")
  while info and is_own(info) do
    level = level + 1
    info = getinfo(level, "Sl")
  end
  if info and info.what == "C" then
    level = level + 1
    info = getinfo(level, "Sl")
    while info and is_own(info) do
      level = level + 1
      info = getinfo(level, "Sl")
    end
  end
  local shown = problem
  if type(problem) ~= "table" then
    shown = { err = "ERR " .. tostring(problem) }
  end
  if info then
    rawset(shown, "source", info.source)
    rawset(shown, "line", info.currentline)
  end
  return shown
end

base.__redis__err__handler = handle

-- Replies: a table becomes a flat list of tags and values, which the server reads with raw operations.

local BULK, INT, NULL, ARRAY, ERR, OK, DOUBLE, MAP, SET, BIG, VERBATIM, BOOL = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12

local flatten

local function put(out, tag, value)
  local n = out.n
  out[n + 1] = tag
  out[n + 2] = value
  out.n = n + 2
end

local function text_of(value)
  local kind = type(value)
  if kind == "string" or kind == "number" then
    return tostring(value)
  end
  return nil
end

local function flatten_pairs(t, tag, out, depth)
  local at, count = out.n + 2, 0
  put(out, tag, 0)
  for key, value in next, t do
    flatten(key, out, depth + 1)
    if tag == MAP then
      flatten(value, out, depth + 1)
    end
    count = count + 1
  end
  out[at] = count
end

local function flatten_table(t, out, depth)
  local err = text_of(rawget(t, "err"))
  if err then
    return put(out, ERR, err)
  end
  local ok = text_of(rawget(t, "ok"))
  if ok then
    return put(out, OK, ok)
  end
  local double = rawget(t, "double")
  if type(double) == "number" then
    return put(out, DOUBLE, double)
  end
  local map = rawget(t, "map")
  if type(map) == "table" then
    return flatten_pairs(map, MAP, out, depth)
  end
  local set = rawget(t, "set")
  if type(set) == "table" then
    return flatten_pairs(set, SET, out, depth)
  end
  local big = rawget(t, "big_number")
  if type(big) == "string" then
    return put(out, BIG, big)
  end
  local verbatim = rawget(t, "verbatim_string")
  if type(verbatim) == "table" then
    local kind, text = rawget(verbatim, "format"), rawget(verbatim, "string")
    if type(kind) == "string" and type(text) == "string" then
      put(out, VERBATIM, kind)
      out.n = out.n + 1
      out[out.n] = text
      return
    end
  end
  local at, count = out.n + 2, 0
  put(out, ARRAY, 0)
  while true do
    local item = rawget(t, count + 1)
    if item == nil then
      break
    end
    flatten(item, out, depth + 1)
    count = count + 1
  end
  out[at] = count
end

flatten = function(value, out, depth)
  local kind = type(value)
  if depth > limits.reply_depth then
    fail("ERR reached lua stack limit")
  elseif kind == "string" then
    put(out, BULK, value)
  elseif kind == "number" then
    put(out, INT, value)
  elseif kind == "boolean" then
    put(out, BOOL, value and 1 or 0)
  elseif kind == "table" then
    flatten_table(value, out, depth)
  else
    put(out, NULL, 0)
  end
end

local function reply_of(value)
  if type(value) ~= "table" then
    return value
  end
  local out = { n = 0 }
  flatten(value, out, 0)
  return out
end

-- What the server calls.

local loaded = {}
local stashed = {}

local server = { seal = seal, globals = globals, fail = fail, check_length = check_length, limits = limits,
    host = host, check_memory = check_memory }

-- Words for the next run, when there are too many to pass them as arguments.
function server.stash(...)
  for i = 1, select("#", ...) do
    stashed[#stashed + 1] = (select(i, ...))
  end
end

function server.load(id, text)
  local chunk, problem = compile(text, "@user_script")
  if not chunk then
    return problem
  end
  loaded[id] = chunk
end

-- Libraries. While one loads, its globals are a redis table that can register functions, and nothing else.

local FLAGS = { ["no-writes"] = true, ["allow-oom"] = true, ["allow-stale"] = true, ["no-cluster"] = true,
    ["allow-cross-slot-keys"] = true }

local is_function = {}
local registered

local function refuse(text)
  fail("ERR " .. text)
end

local function flags_of(list)
  local flags, at = {}, 1
  while list[at] ~= nil do
    local flag = list[at]
    if not FLAGS[flag] then
      refuse("unknown flag given")
    end
    flags[at] = flag
    at = at + 1
  end
  return flags
end

local function named_arguments(arguments)
  if type(arguments) ~= "table" then
    refuse("calling redis.register_function with a single argument is only applicable to Lua table "
        .. "(representing named arguments).")
  end
  local name, description, callback, flags
  for key, value in next, arguments do
    local option = type(key) == "string" and key:lower() or type(key) == "number" and "" or nil
    if not option then
      refuse("named argument key given to redis.register_function is not a string")
    elseif option == "function_name" then
      name = text_of(value) or refuse("function_name argument given to redis.register_function must be a string")
    elseif option == "description" then
      description = text_of(value) or refuse("description argument given to redis.register_function must be a string")
    elseif option == "callback" then
      callback = type(value) == "function" and value or
          refuse("callback argument given to redis.register_function must be a function")
    elseif option == "flags" then
      if type(value) ~= "table" then
        refuse("flags argument to redis.register_function must be a table representing function flags")
      end
      flags = flags_of(value)
    else
      refuse("unknown argument given to redis.register_function")
    end
  end
  if not name then
    refuse("redis.register_function must get a function name argument")
  end
  if not callback then
    refuse("redis.register_function must get a callback argument")
  end
  return name, callback, description, flags or {}
end

local function positional_arguments(name, callback)
  name = text_of(name) or refuse("first argument to redis.register_function must be a string")
  if type(callback) ~= "function" then
    refuse("second argument to redis.register_function must be a function")
  end
  return name, callback, nil, {}
end

local function register_function(...)
  local count = select("#", ...)
  if not registered then
    refuse("redis.register_function can only be called on FUNCTION LOAD command")
  elseif count < 1 or count > 2 then
    refuse("wrong number of arguments to redis.register_function")
  end
  local name, callback, description, flags
  if count == 1 then
    name, callback, description, flags = named_arguments(...)
  else
    name, callback, description, flags = positional_arguments(...)
  end
  if not name:find("^[%w_]+$") then
    refuse("Library names can only contain letters, numbers, or underscores(_) and must be at least one character long")
  elseif registered[name] then
    refuse("Function already exists in the library")
  elseif #registered >= limits.functions then
    refuse("too many functions in one library")
  end
  registered[name] = true
  registered[#registered + 1] = { callback = callback, shown = { name, description or false, flags } }
end

local function missing(_, name)
  error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
end

local library_redis = { register_function = register_function, log = redis.log }
for name, value in next, redis do
  if find(name, "^[A-Z]") then
    library_redis[name] = value
  end
end
local library_globals = setmetatable({ redis = seal(setmetatable(library_redis, { __index = missing })) },
    { __index = missing })
local library_access = { __index = globals, __newindex = refuse_change }
local library_environment = setmetatable({}, library_access)
real[library_environment] = globals
seals[#seals + 1] = library_environment
shown_metatables[library_environment] = seal({})

local function loading_problem(value)
  return type(value) == "table" and text_of(rawget(value, "err")) or tostring(value)
end

-- Returns the functions as a flat list, or the text of an error.
function server.load_library(id, text)
  local chunk, problem = compile(text, "@user_function", library_environment)
  if not chunk then
    return "Error compiling function: " .. problem
  end
  registered = {}
  library_access.__index = library_globals
  arm()
  local ok, value = xpcall(chunk, handle)
  returned = true
  disarm()
  library_access.__index = globals
  local functions = registered
  registered = nil
  if not ok then
    return "Error registering functions: " .. loading_problem(value)
  end
  local shown = {}
  for i = 1, #functions do
    loaded[id + i] = functions[i].callback
    is_function[id + i] = true
    shown[i] = functions[i].shown
  end
  return reply_of(shown)
end

local function divided(words, keys)
  local key_table, arg_table = {}, {}
  for i = 1, keys do
    key_table[i] = words[i]
  end
  for i = keys + 1, #words do
    arg_table[i - keys] = words[i]
  end
  return key_table, arg_table
end

-- KEYS and ARGV.
local function tables_of(keys, ...)
  local count = select("#", ...)
  word_1, word_2, word_3 = NO_WORD, NO_WORD, NO_WORD
  if count == 0 then
    local words = stashed
    if words[1] ~= nil then
      stashed = {}
    end
    return divided(words, keys)
  elseif count == 1 then
    word_1 = ...
  elseif count == 2 then
    word_1, word_2 = ...
  else
    word_1, word_2, word_3 = ...
  end
  if keys == 1 then
    return { (...) }, { select(2, ...) }
  elseif keys == 0 then
    return {}, { ... }
  end
  return divided({ ... }, keys)
end

-- How a run ended; negative if the state must not be used again.
local RAISED, VALUE, LAST, STATUS_OK = 0, 1, 2, 3

local function outcome(ending, value)
  return is_clean() and ending or -ending, value
end

function server.run(id, keys, ...)
  server.before_run()
  local key_table, arg_table = tables_of(keys, ...)
  local by_argument = is_function[id]
  if not by_argument then
    base.KEYS = key_table
    base.ARGV = arg_table
  end
  gsub_depth, resume_depth, last = 0, 0, nil
  arm()
  local ok, value
  if by_argument then
    local body = loaded[id]
    ok, value = xpcall(function()
      return body(key_table, arg_table)
    end, handle)
  else
    ok, value = xpcall(loaded[id], handle)
  end
  returned = true
  local ending, kind = VALUE, type(value)
  if not ok then
    ending = RAISED
  elseif kind == "string" then
    ending = value == last and LAST or VALUE
  elseif kind == "table" then
    if rawget(value, "ok") == "OK" and rawget(value, "err") == nil then
      ending = STATUS_OK
    else
      ok, value = pcall(reply_of, value)
      ending = ok and VALUE or RAISED
    end
  end
  disarm()
  base.KEYS = nil
  base.ARGV = nil
  word_1, word_2, word_3, last = NO_WORD, NO_WORD, NO_WORD, nil
  if ending ~= RAISED then
    return outcome(ending, value)
  end
  if type(value) ~= "table" then
    return RAISED, tostring(value)
  end
  return RAISED, text_of(rawget(value, "err")) or "ERR unknown error", text_of(rawget(value, "source")) or "",
      text_of(rawget(value, "line")) or ""
end

entries[server.run] = true
entries[server.load_library] = true

function server.finish()
  globals.string = seal(strings)
  globals.table = seal(tables)
  getmetatable(globals.table).__index = function(_, name)
    has_raw_functions = has_raw_functions or name ~= "concat"
    return tables[name]
  end
  globals.math = seal(maths)
  globals.coroutine = seal(coroutines)
  globals.redis = seal(redis)
  local text_meta = getmetatable("")
  text_meta.__index = globals.string
  shown_metatables.string = seal({ __index = globals.string })
end

return server
