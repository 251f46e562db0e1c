import './process/require-node.js';
import 'reflect-metadata';
import { AppConfig } from './platform/config/app-config.js';
import { readVariables } from './platform/config/read-variables.js';
import { misspelledVariableMessage, findMisspelledVariables } from './platform/config/misspelled-variables.js';
import { assertPortFree } from './process/assert-port-free.js';
import { runProcess } from './process/run-process.js';
import { describeStartupError } from './process/describe-startup-error.js';

/** The entry point for all roles. Startup errors with a known reason are printed as a sentence, without a stack. */
try {
  for (const variable of findMisspelledVariables(process.env))
    process.stderr.write(`${misspelledVariableMessage(variable)}\n`);
  await assertPortFree(readVariables(process.env));
  await runProcess(AppConfig.from(process.env));
} catch (error) {
  process.stderr.write(`\n${describeStartupError(error)}\n`);
  process.exit(1);
}
