-- Commit a batch: many commands over many tables of one partition, all of it or nothing.
-- A script is isolated but never rolled back, so every check stands before the first write, and the writes
-- are such that cannot fail. A key of another type, which somebody else has put there, would fail in the middle: each
-- is asked for its size before, which fails as well. So would an event after one that is not ours.
--
-- KEYS: own, inbox, out, then events, state, public, actors of each of T tables, then what else is named below
-- ARGV: epoch, cursor before, cursor after, notices or '', a letter for the type of each key named below, T
--       for each table: expected version, number of new events
--       for each table: (event, chain hash, command or '')*, number of words, (part of the public view, value)*,
--                       number of words, (actor, receipt)*, number of seat views, (index of key, view)*
--       other writes, to the end: number of words, command, index of key, arguments
local own = redis.call('HMGET', KEYS[1], 'epoch', 'cur')
if own[1] ~= ARGV[1] then return {'FENCED', own[1] or ''} end
if (own[2] or '0-0') ~= ARGV[2] then return {'STALE_CURSOR', own[2] or '0-0'} end
local tables = tonumber(ARGV[6])
for t = 1, tables do
  local version = redis.call('HGET', KEYS[4 * t + 1], 'ver') or '0'
  if version ~= ARGV[2 * t + 5] then return {'CONFLICT', KEYS[4 * t + 1], version} end
  if ARGV[2 * t + 6] ~= '0' then
    local later = redis.call('XRANGE', KEYS[4 * t], '(' .. version .. '-0', '+', 'COUNT', 1)[1]
    if later then return {'NOT_OURS', KEYS[4 * t], later[1]} end
  end
end
redis.call('XLEN', KEYS[2])
redis.call('XLEN', KEYS[3])
for key = 4, 4 * tables, 4 do
  redis.call('HLEN', KEYS[key + 2])
  redis.call('HLEN', KEYS[key + 3])
end
local SIZE = {h = 'HLEN', l = 'LLEN', z = 'ZCARD'}
for n = 1, #ARGV[5] do redis.call(SIZE[string.sub(ARGV[5], n, n)], KEYS[4 * tables + 3 + n]) end

local at = 2 * tables + 7
for t = 1, tables do
  local key = 4 * t
  local version, count = tonumber(ARGV[2 * t + 5]), tonumber(ARGV[2 * t + 6])
  for n = version + 1, version + count do
    if ARGV[at + 2] == '' then
      redis.call('XADD', KEYS[key], n .. '-0', 'e', ARGV[at], 'h', ARGV[at + 1])
    else
      redis.call('XADD', KEYS[key], n .. '-0', 'e', ARGV[at], 'h', ARGV[at + 1], 'c', ARGV[at + 2])
    end
    at = at + 3
  end
  version = version + count
  if count > 0 then redis.call('HSET', KEYS[key + 1], 'ver', version, 'head', ARGV[at - 2]) end
  local parts = tonumber(ARGV[at])
  if parts > 0 then
    local head = count > 0 and ARGV[at - 2] or redis.call('HGET', KEYS[key + 1], 'head') or ''
    redis.call('HSET', KEYS[key + 2], 'ver', version, 'head', head, unpack(ARGV, at + 1, at + parts))
  end
  at = at + parts + 1
  local receipts = tonumber(ARGV[at])
  if receipts > 0 then redis.call('HSET', KEYS[key + 3], unpack(ARGV, at + 1, at + receipts)) end
  at = at + receipts + 1
  local views = tonumber(ARGV[at])
  for seat = at + 1, at + 2 * views, 2 do
    redis.call('HSET', KEYS[tonumber(ARGV[seat])], 'ver', version, 'view', ARGV[seat + 1])
  end
  at = at + 2 * views + 1
end
local last = #ARGV
while at <= last do
  local words = tonumber(ARGV[at])
  redis.call(ARGV[at + 1], KEYS[tonumber(ARGV[at + 2])], unpack(ARGV, at + 3, at + words))
  at = at + words + 1
end
if ARGV[4] ~= '' then redis.call('XADD', KEYS[3], 'MAXLEN', '~', 10000, '*', 'p', ARGV[4]) end
if ARGV[3] ~= ARGV[2] then
  redis.call('HSET', KEYS[1], 'cur', ARGV[3])
  -- Only what the cursor has passed, and only whole blocks of it: cheap, and no unread entry can be lost.
  redis.call('XTRIM', KEYS[2], 'MINID', '~', ARGV[3])
end
return {'OK'}
