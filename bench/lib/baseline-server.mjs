import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { toZone } from './baseline-zone.mjs';

/**
 * The baseline for the API: no framework, one query for the session and one for the rows through `pg`. Responds like
 * `GET /api/zones?limit=50`, byte for byte.
 */
pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ ...JSON.parse(process.env.BENCH_DATABASE), max: 20 });

const SESSION_QUERY = `select u.id from sessions s join users u on u.id = s.user_id
    where s.sid = $1 and s.expire > now() and u.deactivated_at is null`;
const ZONES_QUERY = `select z.id, z.name, z.description, z.owner_id, z.type, z.is_active, z.auto_join, z.public_link,
      z.requires_email_optin, z.created_at, greatest(z.updated_at, s.content_changed_at) as updated_at, z.version,
      z.show_files, z.versions_kept, z.versions_days, z.records_reading, s.files, s.folders, s.members, s.bytes, o.plan,
      (select plan from default_plan) as default_plan, m.role, m.is_favorite, m.expires_at
    from zone_members m join zones z on z.id = m.zone_id join zone_stats s on s.zone_id = z.id
    join users o on o.id = z.owner_id
    where m.user_id = $1 and m.role = 'owner' and z.deleted_at is null and o.deactivated_at is null
    order by greatest(z.updated_at, s.content_changed_at) desc, z.id desc limit 51`;
const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    response.writeHead(500).end(String(error));
  });
});

async function respond(request, response) {
  const sid = /zonary_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const sessions = await pool.query(SESSION_QUERY, [createHash('sha256').update(sid).digest('hex')]);
  if (sessions.rows.length === 0) return response.writeHead(401).end();
  const { rows } = await pool.query(ZONES_QUERY, [sessions.rows[0].id]);
  const body = JSON.stringify(rows.slice(0, 50).map(toZone));
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
