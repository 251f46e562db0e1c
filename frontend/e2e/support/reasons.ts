import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const linesEach = 6;

/** Ends the report with why each journey failed, in a few lines: of a long log only the last ones may be kept. */
export default class Reasons implements Reporter {
  private readonly failures: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === 'skipped') return;
    const { file, line } = test.location;
    const why = result.errors.map(({ message, location }) => {
      const at = location ? `    at ${location.file}:${location.line}\n` : '';
      return at + (message ?? 'no message').split('\n').filter(Boolean).slice(0, linesEach).join('\n');
    });
    const seconds = (result.duration / 1000).toFixed(0);
    this.failures.push(`${file}:${line} ${test.title} (${result.status} after ${seconds} s)\n${why.join('\n')}`);
  }

  onEnd(): void {
    for (const failure of this.failures) process.stdout.write(`\nWhy: ${stripVTControlCharacters(failure)}\n`);
  }
}
