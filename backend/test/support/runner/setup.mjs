/**
 * Loaded before each suite. The mailer is CommonJS and requires Nest, which is ESM. Jest fails on that while Nest is
 * still loading as an import of the suite, so Nest is loaded first.
 */
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import '@nestjs/core';
import fc from 'fast-check';

/** Also silences loggers outside an application, which would report errors that suites provoke. */
if (process.env.TEST_LOG_LEVEL === undefined) Logger.overrideLogger(false);

/**
 * Property tests use a fixed seed, so that no run fails by chance. `npm run test:random` uses new seeds and prints the
 * seed of a counterexample, which then becomes a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_122) });
