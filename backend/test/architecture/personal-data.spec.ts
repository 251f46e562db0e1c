import { personalData } from '../../src/modules/account/personal-data/personal-data.sql.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** Columns that sound personal, and what they contain instead. */
const withoutPersonalData: Record<string, string> = {
  'campaigns.subject': 'the line above a mail',
  'email_templates.subject': 'the line above a mail',
  'feature_suggestions.search_key': 'the words of a suggestion',
  'files.name_key': 'the name of a file',
  'files.search_key': 'the name of a file',
  'folders.name_key': 'the name of a folder',
  'folders.search_key': 'the name of a folder',
  'hourly_notices.subject_id': 'the zone that a notice is about',
  'item_links.needs_email': 'whether guests must state an address',
  'single_use_tokens.subject': 'what a token is for',
  'zone_mail_settings.from_name': 'the name under which a zone writes, and it goes with the zone',
};

/** Endings of column names that suggest personal data. */
const PERSONAL =
  `(^|_)(email|email_key|user_id|owner_id|actor_id|subject_id|subject|author_id|customer_id|customer_name|by_id
  |network|ip|ip_address|user_agent|city|address|phone|username|first_name|last_name|from_name|name_key|search_key
  |profile_image_url)$`.replace(/\s/g, '');

interface Column {
  readonly table: string;
  readonly column: string;
  /** The foreign key's `ON DELETE` action: cascade, set null, no action; null if there is no foreign key. */
  readonly rule: 'c' | 'n' | 'a' | null;
}

describe('Personal data map', () => {
  let inside: TestApp;
  let columns: Column[];
  beforeAll(async () => {
    inside = await createTestApp();
    columns = await inside.em().execute<Column[]>(
      `select c.table_name as "table", c.column_name as "column", f.confdeltype::text as "rule"
       from information_schema.columns c
       join pg_class t on t.relname = c.table_name and t.relnamespace = current_schema()::regnamespace
         and t.relkind in ('r', 'p') and not t.relispartition
       left join pg_constraint f on f.conrelid = t.oid and f.contype = 'f' and f.confrelid = 'users'::regclass
         and f.conkey[1] = c.ordinal_position
       where c.table_schema = current_schema() and (f.oid is not null or c.column_name ~ ?)`,
      [PERSONAL],
    );
  });
  afterAll(() => inside.close());

  it('lists every column with personal data and no other', () => {
    const named = personalData.flatMap(({ table, columns }) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    );
    const excepted = Object.keys(withoutPersonalData);
    expect(columns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([...named, ...excepted].sort());
  });

  it('states for each table what its foreign keys do on account deletion', () => {
    const words = { c: 'goes with the account', n: 'stays without the person' } as const;
    const entries = personalData.map(({ table, erased }) => [
      table,
      erased.filter((erasure) => typeof erasure === 'string'),
    ]);
    const rules = personalData.map(({ table }) => {
      const own = columns.filter((column) => column.table === table);
      return [
        table,
        (['c', 'n'] as const).filter((rule) => own.some((column) => column.rule === rule)).map((rule) => words[rule]),
      ];
    });
    expect(entries).toEqual(rules);
  });

  it('states what happens to every table and exports each list once', () => {
    expect(personalData.filter(({ erased }) => erased.length === 0)).toEqual([]);
    const names = personalData.flatMap(({ exported }) => exported.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });
});
