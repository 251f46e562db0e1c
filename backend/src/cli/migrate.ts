import '../process/require-node.js';
import 'reflect-metadata';
import { connectionFromUrl } from '../platform/database/pool/database-connection.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { describeStartupError } from '../process/describe-startup-error.js';

const url = process.env.DATABASE_URL;
if (!url) {
  console.error(
    'Set DATABASE_URL to the database to migrate. `npm start` migrates the embedded database automatically.',
  );
  process.exit(1);
}
try {
  const done = await migrate(connectionFromUrl(url));
  console.log(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'Nothing to migrate.');
} catch (error) {
  console.error(describeStartupError(error));
  process.exit(1);
}
