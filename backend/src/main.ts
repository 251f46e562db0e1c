import './process/require-node.js';
import 'reflect-metadata';
import { AppConfig } from './platform/config/app-config.js';
import { readVariables } from './platform/config/read-variables.js';
import { misspelledVariableMessage, findMisspelledVariables } from './platform/config/misspelled-variables.js';
import { assertPortFree } from './process/assert-port-free.js';
import { runProcess } from './process/run-process.js';
import { describeStartupError } from './process/describe-startup-error.js';

/** One entry for every role. Whatever stops the start is told in a sentence, not in a stack, when we know what it is. */
try {
  for (const one of findMisspelledVariables(process.env)) process.stderr.write(`${misspelledVariableMessage(one)}\n`);
  await assertPortFree(readVariables(process.env));
  await runProcess(AppConfig.from(process.env));
} catch (error) {
  process.stderr.write(`\n${describeStartupError(error)}\n`);
  process.exit(1);
}
