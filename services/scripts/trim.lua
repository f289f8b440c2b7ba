-- Drop events that the archive has proven to hold, and the sealed seeds of their hands.
-- KEYS: events, state, seeds   ARGV: last version to drop, its chain hash as archived, hand numbers…
local state = redis.call('HMGET', KEYS[2], 'arch', 'snap_ver')
local version = tonumber(ARGV[1])
if tonumber(state[1] or '0') >= version then return {'OK'} end
if tonumber(state[2] or '0') < version then return {'NEEDED', state[2] or '0'} end
local entry = redis.call('XRANGE', KEYS[1], ARGV[1] .. '-0', ARGV[1] .. '-0')[1]
local hash = ''
if entry then
  for i = 1, #entry[2], 2 do
    if entry[2][i] == 'h' then hash = entry[2][i + 1] end
  end
end
if hash ~= ARGV[2] then return {'UNPROVEN'} end
redis.call('XTRIM', KEYS[1], 'MINID', '=', string.format('%.0f', version + 1))
redis.call('HSET', KEYS[2], 'arch', ARGV[1])
if #ARGV > 2 then redis.call('HDEL', KEYS[3], unpack(ARGV, 3)) end
return {'OK'}
