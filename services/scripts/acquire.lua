-- Take or keep a partition's lease.
-- KEYS: own   ARGV: owner, lease in ms, 'new' (a fresh epoch even for the present owner) or ''
-- Answers: {'OK', epoch, cursor, when an owner was last seen in ms or '', now in ms} or {'HELD', owner}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own = redis.call('HMGET', KEYS[1], 'owner', 'until', 'epoch', 'cur', 'seen')
local owner, epoch = own[1], tonumber(own[3] or '0')
-- Seen later than now: the clock has been set back, and by it the lease would not end for as long.
local held = tonumber(own[2] or '0') > now and tonumber(own[5] or '0') <= now
if owner and owner ~= ARGV[1] and held then return {'HELD', owner} end
if owner ~= ARGV[1] or ARGV[3] == 'new' then epoch = epoch + 1 end
local text = string.format('%.0f', now)
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', epoch, 'until', string.format('%.0f', now + ARGV[2]), 'seen', text)
return {'OK', tostring(epoch), own[4] or '0-0', own[5] or '', text}
