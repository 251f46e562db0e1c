import '../process/require-node.js';
import 'reflect-metadata';
import { migrations } from '../../migrations/list.js';
import type { SuperAdminBootstrapService } from '../modules/admin/users/super-admin-bootstrap/super-admin-bootstrap.service.js';
import { AppConfig } from '../platform/config/app-config.js';
import type { DatabaseConnection } from '../platform/database/pool/database-connection.js';
import { checkSchemaVersion } from '../platform/database/schema/check-schema-version.js';
import { migrate } from '../platform/database/schema/migrate.js';
import { isValidEmail, normaliseEmail } from '../platform/http/parsing/fields.js';
import { assertStartable } from '../platform/installation/assert-startable.js';
import { CommandError, runCommand } from './backup/run-command.js';
import { withDatabase } from './backup/with-database.js';
import { withServices } from './shared/with-services.js';

const USAGE = `Usage:
  npm run admin -- create EMAIL    creates an account for a new super admin, and prints a link to set its password
  npm run admin -- promote EMAIL   makes an account a super admin
  npm run admin -- reset EMAIL     prints a link to set a new password`;

const LINK = 'This link can be used once within an hour:';

/** The subcommands; each returns the lines to print. */
const COMMANDS: Record<string, (appointments: SuperAdminBootstrapService, email: string) => Promise<string[]>> = {
  create: async (appointments, email) => {
    const link = await appointments.createSuperAdmin(email);
    return [`${email} is now a super admin and has no password yet. ${LINK}`, link];
  },
  promote: async (appointments, email) => {
    await appointments.promoteToSuperAdmin(email);
    return [`${email} is now a super admin.`];
  },
  reset: async (appointments, email) => {
    const link = await appointments.createPasswordResetLink(email);
    return [`New password for ${email}. ${LINK}`, link];
  },
};

/** `npm run admin -- create | promote | reset EMAIL`: manages super admins without a browser or mail server. */
await runCommand(async () => {
  const [word = '', written = '', ...more] = process.argv.slice(2);
  const act = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (!act || written === '' || more.length > 0) throw new CommandError(USAGE);
  const email = normaliseEmail(written);
  if (!isValidEmail(email)) throw new CommandError(`"${written}" isn't an email address.`);
  const config = AppConfig.from({ ...process.env, ROLE: 'web', LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
  const lines = await withDatabase(config, true, async (connection) => {
    await prepareDatabase(config, connection);
    return withServices(config, connection, async (services) => {
      const appointments =
        await import('../modules/admin/users/super-admin-bootstrap/super-admin-bootstrap.service.js');
      return act(services.get(appointments.SuperAdminBootstrapService), email);
    });
  });
  // Only to standard output: a link is a secret and must not be in the log.
  console.log(lines.join('\n'));
});

/**
 * Migrates an empty database like the first start does. An older schema is left to the next start, so that the operator
 * can back it up before.
 */
async function prepareDatabase(config: AppConfig, connection: DatabaseConnection): Promise<void> {
  const missing = await checkSchemaVersion(connection);
  if (missing.length === migrations.length) await migrate(connection);
  await assertStartable(config, connection, { schema: true });
}
