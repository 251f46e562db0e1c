import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithOffice, OfficeDesk } from './office-desk.js';
import { docx, zipOf } from './odd-office.js';

describeWithOffice('an Office document with a password', () => {
  let desk: OfficeDesk;
  beforeEach(() => {
    desk = new OfficeDesk();
  });
  afterEach(() => desk.close());

  it('is told from a damaged one', async () => {
    const locked = readFileSync(fileURLToPath(new URL('../../../support/samples/locked.docx', import.meta.url)));
    expect(await desk.outcome(locked, 'docx')).toBe('unsupported');
    expect(await desk.outcome(docx('Light').subarray(0, 300), 'docx')).toBe('damaged');
  });

  it('is told from a damaged one in an open form', async () => {
    const manifest = (data: string) =>
      `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${data}</manifest:file-entry></manifest:manifest>`;
    const odt = (data: string) =>
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'META-INF/manifest.xml': manifest(data),
        'content.xml': 'no element',
      });
    expect(await desk.outcome(odt('<manifest:encryption-data/>'), 'odt')).toBe('unsupported');
    expect(await desk.outcome(odt(''), 'odt')).toBe('damaged');
  });
});

describeWithOffice('kinds of Office documents', () => {
  it.each(['docm', 'dotx', 'dotm'])('are shown: %s', async (extension) => {
    const desk = new OfficeDesk();
    try {
      expect(await desk.outcome(docx('Light'), extension)).toBe('pdf');
    } finally {
      await desk.close();
    }
  });
});
