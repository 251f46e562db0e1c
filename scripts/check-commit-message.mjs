import { readFileSync } from 'node:fs';
import { warningsFor } from './lib/commit-message.mjs';

/** The `commit-msg` hook: prints what CONTRIBUTING.md asks for and the message lacks. It never stops a commit. */
for (const warning of warningsFor(readFileSync(process.argv[2], 'utf8'))) console.warn(`commit message: ${warning}`);
