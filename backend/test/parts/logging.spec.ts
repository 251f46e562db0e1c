import { Controller, Get, Logger, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LoggerModule, Logger as PinoLogger } from 'nestjs-pino';
import { Writable } from 'node:stream';
import supertest from 'supertest';
import { AppConfig } from '../../src/platform/config/app-config.js';
import { loggingOptions } from '../../src/platform/http/observability/logging.js';
import { waitUntil } from '../support/wait-until.js';

interface Line {
  msg: string;
  err?: Record<string, unknown>;
  req?: Record<string, unknown>;
  res?: Record<string, unknown>;
  route?: string;
}

/** The error that the route throws. */
let loggedError: unknown;

@Controller()
class Breaking {
  private readonly logger = new Logger(Breaking.name);

  @Get('secret')
  secret(): string {
    this.logger.error({ err: loggedError }, 'It broke');
    return 'done';
  }
}

const lines: Line[] = [];
let app: INestApplication;

beforeAll(async () => {
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()) as Line);
      done();
    },
  });
  const { pinoHttp } = loggingOptions(AppConfig.from({ LOG_LEVEL: 'info' }));
  class App {}
  Module({ imports: [LoggerModule.forRoot({ pinoHttp: [pinoHttp as object, stream] })], controllers: [Breaking] })(App);
  app = await NestFactory.create(App, { bufferLogs: true });
  app.useLogger(app.get(PinoLogger));
  await app.listen(0);
});
afterAll(() => app.close());

/** Logs an error in a request with the product's configuration; returns its two log lines. */
async function logError(error: unknown): Promise<Line[]> {
  loggedError = error;
  lines.length = 0;
  await supertest(app.getHttpServer()).get('/secret?token=x').expect(200);
  const listTestLines = () => lines.filter(({ msg }) => msg === 'It broke' || msg === 'request completed');
  await waitUntil('both lines are written', () => listTestLines().length === 2);
  return listTestLines().sort((one, other) => one.msg.localeCompare(other.msg));
}

it('logs an error with its type, message and stack', async () => {
  const [line] = await logError(new TypeError('No such thing'));
  expect(line!.err).toEqual({ type: 'TypeError', message: 'No such thing', stack: expect.stringContaining('at ') });
});

it('logs a database error with its code but without its message', async () => {
  const error = Object.assign(new Error('Key (email)=(ada@demo.example) already exists.'), { code: '23505' });
  const logged = await logError(error);
  expect(logged[0]!.err).toEqual({ type: 'Error', code: '23505', stack: expect.any(String) });
  expect(JSON.stringify(logged)).not.toContain('ada@');
});

it('logs a request by method, status and route, never by its URL', async () => {
  const logged = await logError(new Error('x'));
  expect(logged[1]).toMatchObject({ msg: 'request completed', res: { statusCode: 200 }, route: '/secret' });
  expect(Object.keys(logged[1]!.req!).filter((key) => key !== 'id')).toEqual(['method']);
  expect(JSON.stringify(logged)).not.toContain('token');
});
