import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Body, Controller, Post, UploadedFile, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { commonErrors } from '../../errors/common.errors.js';
import { MIB } from '../../text/byte-units.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { ReadSmallFile, type SmallFile } from './read-small-file.decorator.js';
import { fieldError } from './validation.js';

const MAX_BYTES = 2000;
const rules = {
  maxBytes: MAX_BYTES,
  tooLarge: commonErrors.BODY_TOO_LARGE,
  wrongFile: (field: string) => fieldError(field, { en: 'Please choose one file.', tr: 'Lütfen bir dosya seçin.' }),
};

@Controller()
class Forms {
  @Post('form')
  @ReadSmallFile(rules)
  read(@UploadedFile() file: SmallFile | undefined, @Body() fields: Record<string, string>) {
    return { bytes: file?.buffer.length ?? null, fields };
  }

  @Post('hurried')
  @ReadSmallFile({ ...rules, idleTimeout: 50 })
  readHurried(@UploadedFile() file: SmallFile) {
    return { bytes: file.buffer.length };
  }
}

describe('ReadSmallFile', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await NestFactory.create({ module: class {}, controllers: [Forms] }, { logger: false });
    app.useGlobalFilters(new ErrorFilter());
    // Otherwise `fetch` may reuse a connection that the server closes at this moment, if a test takes some seconds.
    (app.getHttpServer() as Server).keepAliveTimeout = 0;
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());

  const createForm = (fields: Record<string, string>, ...files: [field: string, bytes: number][]) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const [field, bytes] of files) form.append(field, new Blob([Buffer.alloc(bytes)]), 'file.bin');
    return form;
  };
  const send = async (form: FormData) => {
    const response = await fetch(`${url}/form`, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const numbered = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 'x']));

  it('reads the file and the fields up to their limits', async () => {
    const fields = { ...numbered(9), longest: 'x'.repeat(1000) };
    const { status, body } = await send(createForm(fields, ['file', MAX_BYTES]));
    expect([status, body]).toEqual([201, { bytes: MAX_BYTES, fields }]);
  });

  it('rejects more than 10 fields', async () => {
    expect(await send(createForm(numbered(11), ['file', 1]))).toMatchObject({
      status: 400,
      body: { code: 'BODY_TOO_COMPLEX', message: 'The request has too many fields or is nested too deeply.' },
    });
  });

  it('rejects a field of more than 1,000 bytes', async () => {
    const { status, body } = await send(createForm({ note: 'x'.repeat(1001) }, ['file', 1]));
    expect([status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', { note: ['This text is too long.'] }]);
  });

  it('rejects a larger file, another field and a second file', async () => {
    const responses = [
      await send(createForm({}, ['file', MAX_BYTES + 1])),
      await send(createForm({}, ['other', 1])),
      await send(createForm({}, ['file', 1], ['file', 1])),
    ];
    expect(responses.map(({ status, body }) => [status, body.code, body.errors])).toEqual([
      [413, 'BODY_TOO_LARGE', undefined],
      [400, 'VALIDATION_FAILED', { other: ['Please choose one file.'] }],
      [400, 'VALIDATION_FAILED', { file: ['Please choose one file.'] }],
    ]);
  });

  const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const startRequest = (path: string): ClientRequest =>
    request(url + path, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } });

  it('rejects a body that stops arriving', async () => {
    const call = startRequest('/hurried');
    call.write(HEAD);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([408, 'close']);
    expect(JSON.parse(await text(response))).toMatchObject({
      code: 'BODY_TOO_SLOW',
      message: 'The request took too long to arrive. Please try again.',
    });
  });

  it('closes the connection of a rejected client that sends another 64 MiB', async () => {
    const call = startRequest('/form');
    const closed = new Promise<string>((resolve) => {
      call.on('response', () => resolve('answered')).on('error', () => resolve('closed'));
    });
    call.write(HEAD);
    const block = Buffer.alloc(MIB);
    for (let sent = 0; sent < 70 && !call.destroyed; sent++) {
      if (!call.write(block)) await Promise.race([once(call, 'drain'), closed]);
    }
    expect(await closed).toBe('closed');
  });

  it('answers a rejected client that sends less', async () => {
    const { status, body } = await send(createForm({}, ['file', 60 * MIB]));
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});
