import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeWithOffice, OfficeFixture } from './office-fixture.js';
import { docx, createZip } from './office-samples.js';

describeWithOffice('Password-protected Office document', () => {
  let fixture: OfficeFixture;
  beforeEach(() => {
    fixture = new OfficeFixture();
  });
  afterEach(() => fixture.close());

  it('is reported as unsupported, not as damaged', async () => {
    const locked = readFileSync(fileURLToPath(new URL('../../../support/samples/locked.docx', import.meta.url)));
    expect(await fixture.convertOutcome(locked, 'docx')).toBe('unsupported');
    expect(await fixture.convertOutcome(docx('Light').subarray(0, 300), 'docx')).toBe('damaged');
  });

  it('is reported as unsupported, not as damaged, in an open format', async () => {
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

describeWithOffice('Office document types', () => {
  it.each(['docm', 'dotx', 'dotm'])('are converted: %s', async (extension) => {
    const fixture = new OfficeFixture();
    try {
      expect(await fixture.convertOutcome(docx('Light'), extension)).toBe('pdf');
    } finally {
      await fixture.close();
    }
  });
});
