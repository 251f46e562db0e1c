import type { AddressInfo } from 'node:net';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { streamCsvFile } from './csv-file.js';

const columns = { name: (row: { name: string }) => row.name };

async function* failing() {
  yield { name: 'Ada' };
  throw new Error('The database went away.');
}

@Controller()
class Lists {
  @Get('whole')
  whole() {
    return streamCsvFile('people', columns, [{ name: 'Ada' }, { name: '=1+1' }]);
  }

  @Get('broken')
  broken() {
    return streamCsvFile('people', columns, failing());
  }
}

describe('CSV export', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await NestFactory.create({ module: class {}, controllers: [Lists] }, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());

  it('starts with a BOM and contains no formulas', async () => {
    const response = await fetch(`${url}/whole`);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="people.csv"');
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe("\ufeffname\r\nAda\r\n'=1+1\r\n");
  });

  it('is cut off when its rows fail so that it does not seem complete', async () => {
    const response = await fetch(`${url}/broken`);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
