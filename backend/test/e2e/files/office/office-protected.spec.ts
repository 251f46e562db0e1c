import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithOffice, OfficeFixture } from './office-fixture.js';
import { docx, createZip } from './office-samples.js';

describeWithOffice('an Office document with a password', () => {
  let fixture: OfficeFixture;
  beforeEach(() => {
    fixture = new OfficeFixture();
  });
  afterEach(() => fixture.close());

  it('is told from a damaged one', async () => {
    const locked = readFileSync(fileURLToPath(new URL('../../../support/samples/locked.docx', import.meta.url)));
    expect(await fixture.convertOutcome(locked, 'docx')).toBe('unsupported');
    expect(await fixture.convertOutcome(docx('Light').subarray(0, 300), 'docx')).toBe('damaged');
  });

  it('is told from a damaged one in an open form', async () => {
    const manifest = (data: string) =>
      `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${data}</manifest:file-entry></manifest:manifest>`;
    const odt = (data: string) =>
      createZip({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'META-INF/manifest.xml': manifest(data),
        'content.xml': 'no element',
      });
    expect(await fixture.convertOutcome(odt('<manifest:encryption-data/>'), 'odt')).toBe('unsupported');
    expect(await fixture.convertOutcome(odt(''), 'odt')).toBe('damaged');
  });
});

describeWithOffice('kinds of Office documents', () => {
  it.each(['docm', 'dotx', 'dotm'])('are shown: %s', async (extension) => {
    const fixture = new OfficeFixture();
    try {
      expect(await fixture.convertOutcome(docx('Light'), extension)).toBe('pdf');
    } finally {
      await fixture.close();
    }
  });
});
