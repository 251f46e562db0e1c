import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCommand } from '../../../../src/platform/rendering/office/sandbox.js';
import { detectSandboxCapabilities, sandboxPrefix } from '../../../../src/platform/rendering/office/sandbox-command.js';
import { HOUR } from '../../../../src/platform/clock/clock.js';
import { MIB } from '../../../../src/platform/text/byte-units.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeWithSandbox, OfficeFixture } from './office-fixture.js';
import { cell, docx, fieldCode, odt, paragraph, rtf, pictureShape, xlsx, createZip } from './office-samples.js';

let fixture: OfficeFixture;
afterEach(() => fixture.close());

/** Starts a child process and never exits. */
const ENDLESS = 'sleep 86400 & wait';
/** A PDF with the output of a command. */
const pdfWithOutputOf = (command: string) => `{ ${command}; } > "$HOME/../out/document.pdf" 2>&1`;
const convertToText = async (bytes = docx('Light'), extension = 'docx') =>
  (await fixture.convertToPdf(bytes, extension)).toString();

describe.each([true, false])('Conversion of an Office document with a sandbox available: %s', (mayBeApart) => {
  const open = (program: string) => {
    fixture = new OfficeFixture(program, mayBeApart);
  };
  const waitForProcesses = async () =>
    waitUntil('all processes have ended', () => fixture.listProcesses().length === 0);

  it('kills all its processes on a timeout', async () => {
    open(ENDLESS);
    fixture.limits.officeTimeout = 3000;
    expect(await fixture.convertOutcome(docx('Light'), 'docx')).toBe('too-slow');
    await waitForProcesses();
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('is cancelled when the application stops or the job is lost', async () => {
    open(ENDLESS);
    const job = new AbortController();
    const conversion = fixture.convertToPdf(docx('Light'), 'docx', job.signal).catch((error: unknown) => error);
    await waitUntil('the conversion is running', () => fixture.listProcesses().length > 1);
    job.abort();
    expect(await conversion).toMatchObject({ code: 'DRAWING_BUSY' });
    await waitForProcesses();
    const other = fixture.convertToPdf(docx('Light'), 'docx').catch((error: unknown) => error);
    await waitUntil('the conversion is running', () => fixture.listProcesses().length > 1);
    await fixture.office.onModuleDestroy();
    // The process may exit as soon as it has been waited for.
    expect(fixture.listTempFiles()).toEqual([]);
    expect(await other).toMatchObject({ code: 'DRAWING_BUSY' });
    await waitForProcesses();
  });

  it('deletes temp files of a killed process, but none in use or of others', async () => {
    open(pdfWithOutputOf('echo made'));
    const old = ['zonary-office-aB3dE6', 'zonary-rendering-Zz9_00', 'zonary-rendering-Zz9000', 'somebody-else'];
    for (const name of [...old, 'zonary-office-fresh1']) mkdirSync(join(fixture.pathOf('temporary'), name));
    for (const name of old) utimesSync(join(fixture.pathOf('temporary'), name), 1000, 1000);
    writeFileSync(join(fixture.pathOf('temporary'), 'zonary-office-aB3dE6', 'document.docx'), 'words');
    utimesSync(join(fixture.pathOf('temporary'), 'zonary-office-aB3dE6'), 1000, 1000);
    // File times come from the system: even with a wrong clock in this process, other processes' files are not older.
    const time = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(time + 2 * HOUR);
    await fixture.office.onModuleInit();
    now.mockRestore();
    expect(fixture.listTempFiles().sort()).toEqual([
      'somebody-else',
      'zonary-office-fresh1',
      'zonary-rendering-Zz9_00',
    ]);
  });

  it('passes no secrets and writes only into its own folder', async () => {
    process.env.APP_SECRET_OF_THE_TEST = 'never told';
    open(pdfWithOutputOf('env'));
    const output = await convertToText();
    delete process.env.APP_SECRET_OF_THE_TEST;
    expect(output).not.toContain('never told');
    for (const name of ['HOME', 'TMPDIR'])
      expect(output).toMatch(new RegExp(`^${name}=${fixture.pathOf('temporary')}/`, 'm'));
  });

  it.each([
    [
      'more files than allowed',
      () => createZip(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, '']))),
      'too-large',
    ],
    [
      'an archive that claims to unpack to more than a gigabyte',
      () => createZip({ a: Buffer.alloc(8 * 2 ** 20, 'ab') }, 1.1 * 2 ** 30),
      'too-large',
    ],
    ['an archive that claims to unpack to 300 times its size', () => createZip({ a: 'light' }, 60_000), 'too-large'],
    ['an archive without an end record', () => odt(paragraph('Light')).subarray(0, -30), 'damaged'],
    ['a file that is not an archive', () => Buffer.from('only words'), 'damaged'],
    ['a truncated archive', () => odt(paragraph('Light')).subarray(200), 'damaged'],
  ])('is not started for %s', async (_name, make, outcome) => {
    open(pdfWithOutputOf('echo started'));
    expect(await fixture.convertOutcome(make(), 'docx')).toBe(outcome);
  });

  it('rejects a PDF that is empty or too large', async () => {
    open(': > "$HOME/../out/document.pdf"');
    expect(await fixture.convertOutcome(docx('Light'), 'docx')).toBe('damaged');
    await fixture.close();
    open(pdfWithOutputOf('head -c 50000 /dev/zero'));
    fixture.limits.maxBytes = 20_000;
    expect(await fixture.convertOutcome(docx('Light'), 'docx')).toBe('too-large');
    fixture.limits.maxBytes = 10;
    expect(await fixture.convertOutcome(docx('Light'), 'docx')).toBe('too-large');
  });

  it('limits the size of the output file', async () => {
    open(pdfWithOutputOf('head -c 300000 /dev/zero > "$HOME/../much"; wc -c < "$HOME/../much"'));
    fixture.limits.maxBytes = 100_000;
    expect((await convertToText()).trim().split('\n').at(-1)).toBe('100001');
  });

  it('ends with all its processes when the parent process is killed', async () => {
    open(ENDLESS);
    const [folder, program] = [fixture.pathOf('temporary'), fixture.pathOf('soffice')];
    const wrapping = await detectSandboxCapabilities(folder, program);
    expect(wrapping.hasTimeout).toBe(true);
    const [command, ...before] = sandboxPrefix(wrapping, {
      folder,
      program,
      hidden: [],
      memory: 1_000_000_000,
      maxFileBytes: 1_000_000,
      timeout: 1000,
    });
    const child = spawn(command!, [...before, program], {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: 'ignore',
      detached: true,
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await waitForProcesses();
  });

  it.each([
    ['UTF-8', Buffer.from('ağaç')],
    ['UTF-16', Buffer.from('\ufeffağaç', 'utf16le')],
    ['Windows-1254', Buffer.from([0x61, 0xf0, 0x61, 0xe7])],
  ])('receives text as UTF-8: %s', async (_encoding, bytes) => {
    open(pdfWithOutputOf('cat "$HOME/../document.txt"'));
    expect(await convertToText(bytes, 'txt')).toBe('ağaç');
  });
});

describeWithSandbox('Sandboxed conversion', () => {
  it('sees its document and the system, but not the product, its data or other processes', async () => {
    const paths = ['"$(dirname "$0")"/*', process.cwd(), '/root', '/home', '/etc/passwd', '/etc/hostname'].join(' ');
    fixture = new OfficeFixture(pdfWithOutputOf(`ls -d ${paths}; cd /proc && echo processes [0-9]*`));
    writeFileSync(fixture.pathOf('secret'), 'never told');
    const output = (await convertToText()).split('\n');
    expect(output.filter((line) => line.startsWith('/'))).toEqual([
      fixture.pathOf('soffice'),
      fixture.pathOf('temporary'),
    ]);
    expect(output.find((line) => line.startsWith('processes'))).toMatch(/^processes(?: \d{1,2}){1,9}$/);
  });

  it('does not see the product where it is installed among system programs', () => {
    fixture = new OfficeFixture();
    const hidden = '/usr/share';
    const list = (...folders: string[]) => {
      const [command, ...rest] = sandboxCommand(fixture.pathOf('temporary'), '/bin/sh', folders);
      return spawnSync(command!, [...rest, '/bin/sh', '-c', `ls ${hidden} | wc -l`]).stdout.toString();
    };
    expect([Number(list()) > 0, Number(list(hidden))]).toEqual([true, 0]);
  });

  it('provides a socket path anywhere and limits the size of temp files', async () => {
    fixture = new OfficeFixture(
      pdfWithOutputOf(
        'echo socket > /tmp/socket && cat /tmp/socket; head -c 30M /dev/zero > /tmp/much; wc -c < /tmp/much',
      ),
    );
    const [socket, , written] = (await convertToText()).split('\n');
    expect([socket, Number(written) < 20 * MIB]).toEqual(['socket', true]);
    expect(existsSync('/tmp/socket')).toBe(false);
  });

  it('can write only in its own folder', async () => {
    fixture = new OfficeFixture(
      pdfWithOutputOf('for at in /usr/bin /usr/share /etc; do touch "$at/of-a-document" && echo "$at"; done'),
    );
    const output = await convertToText();
    for (const path of ['/usr/bin', '/usr/share', '/etc/fonts'])
      expect(existsSync(`${path}/of-a-document`)).toBe(false);
    expect(output).not.toMatch(/^\/usr/m);
  });

  it('accepts documents with external references, since nothing can be reached', async () => {
    fixture = new OfficeFixture(pdfWithOutputOf('echo made'));
    expect(await convertToText(docx('Light', pictureShape('p'), [['p', 'image', 'file:///etc/hostname', true]]))).toBe(
      'made\n',
    );
    expect(await convertToText(rtf('Light'), 'rtf')).toBe('made\n');
  });
});

describe('Unsandboxed conversion', () => {
  const SECRET = 'file:///etc/hostname';
  const externalTarget = (type: string, target = SECRET) => [['p', type, target, true]] as const;
  const link = (name: string, attributes: string) => odt(`<${name} ${attributes}/>`);
  beforeEach(() => {
    fixture = new OfficeFixture(pdfWithOutputOf('echo started'), false);
  });

  it.each([
    ['a picture', () => docx('Light', pictureShape('p'), [...externalTarget('image')])],
    [
      'a picture on a host',
      () => docx('Light', pictureShape('p'), [...externalTarget('image', 'http://127.0.0.1/a.png')]),
    ],
    ['an external picture declared as internal', () => docx('Light', pictureShape('p'), [['p', 'image', SECRET]])],
    ['a picture declared as a link', () => docx('Light', pictureShape('p'), [...externalTarget('hyperlink')])],
    ['a document to insert', () => docx('Light', '', [...externalTarget('subDocument')])],
    ['a web page to insert', () => docx('Light', '', [['p', 'aFChunk', 'a.html']], { 'word/a.html': '<p>a</p>' })],
    ['a field with a picture', () => docx('Light', fieldCode(`INCLUDEPICTURE "${SECRET}"`))],
    ['a field split into parts', () => docx('Light', fieldCode('INCLUDE', 'TEXT "/etc/hostname"'))],
    ['a field in character references', () => docx('Light', fieldCode('&#73;NCLUDETEXT "/etc/hostname"'))],
    ['a DDE field', () => docx('Light', fieldCode('DDEAUTO soffice x'))],
    [
      'an embedded document in an old format',
      () => docx('Light', '', [], { a: Buffer.from('d0cf11e0a1b11ae1', 'hex') }),
    ],
    [
      'an embedded document that refers to',
      () => docx('Light', '', [], { a: odt(`<text:a xlink:href="#a"/><x y="${SECRET}"/>`) }),
    ],
    ['an SVG that refers to', () => docx('Light', '', [], { 'a.svg': `<svg><image href="${SECRET}"/></svg>` })],
    [
      'an entity declared in the document',
      () => docx('Light', '', [], { 'a.xml': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///a">]><a>&b;</a>' }),
    ],
    ['UTF-16', () => docx('Light', '', [], { 'a.xml': Buffer.from('\ufeff <a/>', 'utf16le') })],
    ['another encoding', () => docx('Light', '', [], { 'a.xml': '<?xml version="1.0" encoding="UTF-7"?><a/>' })],
    ['invalid XML', () => docx('Light', '', [], { 'a.xml': '<a b=c>' })],
    ['relationships in an unusual part', () => docx('Light', '', [], { 'word//_rels/a.rels': '<a/>' })],
    ['a table in another file', () => xlsx([`<c><f>'${SECRET}'#$One.A1</f></c>`])],
    ['a table by its path', () => xlsx([`<c><f>'/etc/a.ods'#$One.A1</f></c>`])],
    ['a table in brackets', () => xlsx([`<c><f>'/etc/[a.xlsx]One'!A1</f></c>`])],
    [
      'a table in OpenDocument',
      () => link('table:table-cell', `table:formula="of:=['http://127.0.0.1/a.ods'#$One.A1]"`),
    ],
    ['a table on a host', () => xlsx(['<c><f>WEBSERVICE("http://127.0.0.1")</f></c>'])],
    ['an image in OpenDocument', () => link('draw:image', `xlink:href="${SECRET}"`)],
    ['an image beside the document', () => link('draw:image', 'xlink:href="../secret.png"')],
    ['an image by its path', () => link('draw:image', 'xlink:href="/etc/a.png"')],
    ['an image in character references', () => link('draw:image', 'xlink:href="&#x66;ile:///etc/a.png"')],
    ['an image with another namespace prefix', () => link('d:image', `l:href='${SECRET}'`)],
    ['another program', () => link('office:dde-source', 'office:dde-topic="a"')],
    ['a base URL for all references', () => link('draw:image', 'xml:base="/etc/" xlink:href="hostname"')],
  ])('rejects a document that refers to %s', async (_name, make) => {
    expect(await fixture.convertOutcome(make(), 'docx')).toBe('outside');
    expect(fixture.listTempFiles()).toEqual([]);
  });

  it('rejects formats that cannot be inspected reliably', async () => {
    expect(await fixture.convertOutcome(rtf('Light'), 'rtf')).toBe('outside');
    expect(await fixture.convertOutcome(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'doc')).toBe('outside');
  });

  it.each([
    ['nothing', () => docx('Light <!-- <a b=c> -->')],
    [
      'a hyperlink',
      () => docx('Light', '<w:hyperlink r:id="p"/>', [...externalTarget('hyperlink', 'https://example.org')]),
    ],
    ['a hyperlink in OpenDocument', () => odt('<text:p><text:a xlink:href="https://example.org">a</text:a></text:p>')],
    ['embedded pictures', () => link('draw:image', 'xlink:href="Pictures/a.png"')],
    ['its own cells', () => xlsx([`${cell('a')}<c><f>SUM(A1:A2)+Table1[a]+'One two'!A1</f></c>`])],
    ['one of its sheets', () => docx('Light', '', [], { 'word/embeddings/a.xlsx': xlsx([cell('Light')]) })],
  ])('accepts a document that refers to %s', async (_name, make) => {
    expect(await convertToText(make())).toBe('started\n');
  });
});
