/**
 * Loaded before each suite. The mailer is CommonJS and requires Nest, which is native: jest refuses that while Nest is
 * still being loaded as part of the suite's own imports, so Nest is loaded first.
 */
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
