import './process/require-node.js';
import 'reflect-metadata';
import { AppConfig } from './platform/config/app-config.js';
import { readVariables } from './platform/config/read-variables.js';
import { mistypedSentence, mistypedVariables } from './platform/config/unknown-variables.js';
import { refuseTakenPort } from './process/refuse-taken-port.js';
import { runProcess } from './process/run-process.js';
import { startFault } from './process/start-fault.js';

/** One entry for every role. Whatever stops the start is told in a sentence, not in a stack, when we know what it is. */
try {
  for (const one of mistypedVariables(process.env)) process.stderr.write(`${mistypedSentence(one)}\n`);
  await refuseTakenPort(readVariables(process.env));
  await runProcess(AppConfig.from(process.env));
} catch (error) {
  process.stderr.write(`\n${startFault(error)}\n`);
  process.exit(1);
}
