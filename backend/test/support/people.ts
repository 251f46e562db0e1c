import { PasswordService } from '../../src/modules/auth/password.service.js';
import { SessionCookie } from '../../src/modules/auth/session-cookie.service.js';
import { SessionService } from '../../src/modules/auth/session.service.js';
import { PASSWORD, register, unique, type Actor } from './actors.js';
import { baseUrl, type World } from './world.js';

let hash: Promise<string> | undefined;

/**
 * Many people with accounts, each signed in. In this process their rows are written at once, which is quicker than
 * registering them one after the other by mail; registration has suites of its own.
 */
export async function people(world: World, count: number): Promise<Actor[]> {
  if (!baseUrl) return written(world, count);
  const actors: Actor[] = [];
  while (actors.length < count) actors.push(await register(world));
  return actors;
}

/** `people`, for one. */
export async function person(world: World): Promise<Actor> {
  const [actor] = await people(world, 1);
  return actor!;
}

async function written(world: World, count: number): Promise<Actor[]> {
  const { app, em } = world.inside;
  hash ??= app.get(PasswordService).hash(PASSWORD);
  const names = Array.from({ length: count }, () => unique('user'));
  const rows = await em().execute<{ id: string; username: string }[]>(
    `insert into users (email, username, first_name, last_name, password, email_verified, language, created_at, updated_at)
     select name || '@example.com', name, 'Ada', 'Test', ?, true, 'en', now(), now()
     from jsonb_array_elements_text(?::jsonb) name returning id, username`,
    [await hash, JSON.stringify(names)],
  );
  return Promise.all(rows.map((row) => signedIn(world, Number(row.id), row.username)));
}

async function signedIn(world: World, id: number, username: string): Promise<Actor> {
  const { app, em } = world.inside;
  const sid = await app.get(SessionService).open(em(), id, false, { ipAddress: '127.0.0.1', userAgent: null });
  const client = world.client();
  client.jar.setCookie(`${app.get(SessionCookie).name}=${sid}; path=/`, new URL(world.url).hostname);
  return { id, username, email: `${username}@example.com`, password: PASSWORD, client };
}
