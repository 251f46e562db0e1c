/**
 * Loaded before each suite. The mailer is CommonJS and requires Nest, which is native: jest refuses that while Nest is
 * still being loaded as part of the suite's own imports, so Nest is loaded first.
 */
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import '@nestjs/core';
import fc from 'fast-check';

/** What stands outside an application says nothing of the faults that a suite makes on purpose either. */
if (process.env.TEST_LOG_LEVEL === undefined) Logger.overrideLogger(false);

/**
 * Properties are tried with the same values at every run, so that no run fails by chance; `npm run test:random` tries
 * new ones, and names the seed of a counter-example, which then becomes a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_122) });
