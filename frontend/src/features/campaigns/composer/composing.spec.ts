import { replaceMergeFields } from '../../../shared/format/merge-fields';
import {
  canEditAsRichText,
  fromEditorHtml,
  isBlankHtml,
  findMergeFieldError,
  toEditorHtml,
  formatMergeField,
} from './editor/merge-fields';
import { isValidDateTime, toLocalDateTime, timeZonesIncluding } from './dialogs/schedule-time';
import { emptyDraft, toRequestBody, isSavableDraft, findMissingFields } from './draft-content';

describe('Merge fields', () => {
  it('are written with a fallback text that can’t break the syntax', () => {
    expect(formatMergeField('first_name', '')).toBe('{{first_name}}');
    expect(formatMergeField('first_name', ' dear }}{{ | friend ')).toBe('{{first_name|dear   friend}}');
  });

  it('become a single element in the editor and convert back to the same text', () => {
    const html = '<p>Hi {{first_name|friend}} of <a href="{{zone_url}}">{{ zone_name }}</a> {{nobody}}</p>';
    const inEditor = toEditorHtml(html);
    expect(inEditor).toContain('<span data-merge="first_name" data-fallback="friend">{{first_name|friend}}</span>');
    expect(inEditor).toContain('href="{{zone_url}}"');
    expect(fromEditorHtml(inEditor)).toBe(html.replace('{{ zone_name }}', '{{zone_name}}'));
  });

  it('are reported as errors when unknown or malformed', () => {
    expect(findMergeFieldError('Hi {{first_name|friend}} {{ZONE_NAME}}')).toBeNull();
    expect(findMergeFieldError('Hi {{firstname}}')).toEqual({ unknown: 'firstname' });
    expect(findMergeFieldError('Hi {{first_name')).toBe('broken');
  });
});

describe('Custom HTML', () => {
  it('opens in the rich text editor only when the editor supports all of it', () => {
    expect(canEditAsRichText('<h1 style="margin:0">A</h1><p>b <strong>c</strong><br></p><ul><li>d</li></ul>')).toBe(
      true,
    );
    expect(canEditAsRichText('<table><tr><td>a</td></tr></table>')).toBe(false);
    expect(canEditAsRichText('<style>p{}</style><p>a</p>')).toBe(false);
  });

  it('is blank when it has no visible content', () => {
    expect(isBlankHtml('<p> </p><p><br></p>')).toBe(true);
    expect(isBlankHtml('<img src="https://example.org/a.png">')).toBe(false);
    expect(isBlankHtml('<p>a</p>')).toBe(false);
  });
});

describe('Campaign draft', () => {
  const full = { ...emptyDraft, zoneId: '7', name: ' News ', subject: ' Hello ', htmlContent: '<p>Hi</p>' };

  it('lists missing fields in the order of the form', () => {
    expect(findMissingFields(emptyDraft)).toEqual(['zone', 'name', 'subject', 'content']);
    expect(findMissingFields({ ...full, subject: '  ' })).toEqual(['subject']);
    expect(findMissingFields(full)).toEqual([]);
  });

  it('can be saved without a name, but not with an invalid merge field', () => {
    expect(isSavableDraft({ ...full, name: '' })).toBe(true);
    expect(isSavableDraft({ ...full, htmlContent: '<p>{{oops}}</p>' })).toBe(false);
    expect(isSavableDraft({ ...full, zoneId: '' })).toBe(false);
  });

  it('is sent trimmed and without an empty name', () => {
    expect(toRequestBody(full)).toEqual({
      zoneId: 7,
      name: 'News',
      subject: 'Hello',
      htmlContent: '<p>Hi</p>',
      targetAudience: 'all',
      trackingEnabled: true,
    });
    expect(toRequestBody({ ...full, name: ' ' })).not.toHaveProperty('name');
  });
});

describe('Schedule time', () => {
  it('is converted to local time in the time zone', () => {
    const instant = Date.parse('2026-11-30T22:30:00Z');
    expect(toLocalDateTime('Europe/Istanbul', instant)).toEqual({ date: '2026-12-01', time: '01:30' });
    expect(toLocalDateTime('America/New_York', instant)).toEqual({ date: '2026-11-30', time: '17:30' });
  });

  it('must be an existing date and time', () => {
    expect(isValidDateTime('2026-02-28', '23:59')).toBe(true);
    expect(isValidDateTime('2026-02-30', '10:00')).toBe(false);
    expect(isValidDateTime('2026-02-28', '')).toBe(false);
  });

  it('offers the user’s own time zone even when the browser does not list it', () => {
    expect(timeZonesIncluding('Etc/Own')[0]).toBe('Etc/Own');
    expect(timeZonesIncluding('Europe/Istanbul').filter((name) => name === 'Europe/Istanbul')).toHaveLength(1);
  });
});

describe('replaceMergeFields', () => {
  it('fills in known merge fields and leaves unknown ones unchanged', () => {
    const put = (field: string, fallback: string) => (field === 'zone_name' ? 'Watercolour' : fallback || `[${field}]`);
    expect(replaceMergeFields('Hi {{ First_Name|you }}, {{email}}: {{zone_name}} {{other}}', put)).toBe(
      'Hi you, [email]: Watercolour {{other}}',
    );
  });
});
