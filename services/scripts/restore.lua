-- Set a table that is behind forward to where the archive is: an exact append, and the table stands still.
-- KEYS: state, events, actors, due, parked, seeds, seal
-- ARGV: version and head as they were found ('' if there is no table), table, new version, new head, engine,
--       snapshot, its version and head, what was archived before the first entry, why it is frozen, what is parked,
--       number of receipts, (actor, receipt)*, number of hands, (hand, sealed seed, last version)*,
--       first version to append, (event, chain hash, command or '')*
local found = redis.call('HMGET', KEYS[1], 'ver', 'head')
if (found[1] or '0') ~= ARGV[1] or (found[2] or '') ~= ARGV[2] then return {'CONFLICT', found[1] or '0'} end
local first = 14 + 2 * tonumber(ARGV[13])
first = tonumber(ARGV[first + 1 + 3 * tonumber(ARGV[first])])
local appends = first <= tonumber(ARGV[1]) + 1
if appends and redis.call('EXISTS', KEYS[2]) == 1 then
  local stream = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #stream, 2 do
    -- A stream remembers its last id even where the entry is gone; the append must not fail half way.
    if stream[i] == 'last-generated-id' and tonumber(string.match(stream[i + 1], '^%d+')) >= first then
      return {'CONFLICT', stream[i + 1]}
    end
  end
end
local at = 14
for _ = 1, tonumber(ARGV[13]) do
  redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  at = at + 2
end
local hands = tonumber(ARGV[at])
at = at + 1
for _ = 1, hands do
  if ARGV[at + 1] ~= '' then redis.call('HSET', KEYS[6], ARGV[at], ARGV[at + 1]) end
  redis.call('ZADD', KEYS[7], ARGV[at + 2], ARGV[3] .. '|' .. ARGV[at])
  at = at + 3
end
local version = first
if not appends then redis.call('DEL', KEYS[2]) end
for entry = at + 1, #ARGV, 3 do
  if ARGV[entry + 2] == '' then
    redis.call('XADD', KEYS[2], version .. '-0', 'e', ARGV[entry], 'h', ARGV[entry + 1])
  else
    redis.call('XADD', KEYS[2], version .. '-0', 'e', ARGV[entry], 'h', ARGV[entry + 1], 'c', ARGV[entry + 2])
  end
  version = version + 1
end
redis.call('HSET', KEYS[1], 'ver', ARGV[4], 'head', ARGV[5], 'engine', ARGV[6], 'snap', ARGV[7], 'snap_ver', ARGV[8],
  'snap_head', ARGV[9], 'arch', ARGV[10], 'frozen', ARGV[11])
redis.call('ZREM', KEYS[4], ARGV[3])
redis.call('HSET', KEYS[5], ARGV[3], ARGV[12])
return {'OK'}
