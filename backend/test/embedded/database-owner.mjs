import { pathToFileURL } from 'node:url';

/**
 * A process that starts the embedded database and keeps it until it is killed, like the application. Arguments: the
 * module that exports `EmbeddedPostgres`, and its options as JSON. Prints one line of JSON with the connection or the
 * error.
 */
const [module, options] = process.argv.slice(2);
const { EmbeddedPostgres } = await import(pathToFileURL(module).href);
const postgres = new EmbeddedPostgres(JSON.parse(options));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void postgres.stop().then(() => process.exit(0)));
try {
  const connection = await postgres.start();
  process.stdout.write(`${JSON.stringify({ connection })}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`);
}
