import pg from '/work/main/node_modules/pg/lib/index.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { describeSchema } from '/work/main/backend/test/support/describe-schema.ts';
const c = new pg.Client({ ...JSON.parse(readFileSync('/tmp/sq/conn.json')), ...(process.argv[3] ? { database: process.argv[3] } : {}) });
await c.connect();
const l = await describeSchema(c);
writeFileSync(process.argv[2], l.join('\n') + '\n'); console.log(l.length);
await c.end();
