import { readFileSync } from 'node:fs';
import { checkCommitMessage } from './lib/commit-message.mjs';

/** The `commit-msg` hook: prints the rules in CONTRIBUTING.md that the message breaks. It never stops a commit. */
for (const warning of checkCommitMessage(readFileSync(process.argv[2], 'utf8')))
  console.warn(`commit message: ${warning}`);
