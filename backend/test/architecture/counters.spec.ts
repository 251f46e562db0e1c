import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const modules = join(import.meta.dirname, '../../src/modules');

/**
 * Files that may write a counter or insert memberships. Rows of new zones and users are created by the seed and the
 * modules' own services.
 */
const writers: Record<string, { writes: RegExp; allowed: string[]; within?: string }> = {
  audience: {
    writes: /(insert into|update|delete from) audience\b|(insertInto|updateTable|deleteFrom)\('audience[' ]/,
    allowed: ['zones/members/audience.repository.ts'],
  },
  zone_stats: {
    writes: /(insert into|update|delete from) zone_stats\b|(insertInto|updateTable|deleteFrom)\('zone_stats[' ]/,
    allowed: ['zones/zone/zone-stats.repository.ts', 'zones/zone/zone-stats.sql.ts'],
  },
  usage: {
    writes: /(insert into|update|delete from) usage\b|(insertInto|updateTable|deleteFrom)\('usage[' ]/,
    allowed: ['plans/usage.repository.ts'],
  },
  memberships: {
    writes: /insert into zone_members\b|insertInto\('zone_members[' ]/,
    allowed: ['zones/joining/membership.repository.ts'],
  },
  'the counts of a campaign': {
    // All writes go through `incrementsSql` in `campaign.sql.ts`, which builds the column name.
    writes: /\b(delivered|kept|failed|skipped|cancelled|returned|open|click)_count\s*=\s*|set\(\{[^}]*_count:/,
    allowed: [],
    within: 'campaigns/',
  },
};

describe('Counters', () => {
  it.each(Object.entries(writers))(
    '%s: are written only in the listed files',
    async (_name, { writes, allowed, within = '' }) => {
      const names = await readdir(modules, { recursive: true });
      const files = names.filter(
        (name) => name.startsWith(within) && name.endsWith('.ts') && !name.endsWith('.spec.ts'),
      );
      const found = files.filter((name) => {
        const text = readFileSync(join(modules, name), 'utf8');
        return text.split('\n').some((line) => writes.test(line));
      });
      expect(found.map((name) => relative('.', name)).sort()).toEqual(allowed);
    },
  );
});
