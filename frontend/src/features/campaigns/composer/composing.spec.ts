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

describe('merge fields', () => {
  it('are written with a fall-back that cannot break them', () => {
    expect(formatMergeField('first_name', '')).toBe('{{first_name}}');
    expect(formatMergeField('first_name', ' dear }}{{ | friend ')).toBe('{{first_name|dear   friend}}');
  });

  it('become one piece in the text editor and the same text again', () => {
    const html = '<p>Hi {{first_name|friend}} of <a href="{{zone_url}}">{{ zone_name }}</a> {{nobody}}</p>';
    const inEditor = toEditorHtml(html);
    expect(inEditor).toContain('<span data-merge="first_name" data-fallback="friend">{{first_name|friend}}</span>');
    expect(inEditor).toContain('href="{{zone_url}}"');
    expect(fromEditorHtml(inEditor)).toBe(html.replace('{{ zone_name }}', '{{zone_name}}'));
  });

  it('are found faulty when unknown or broken', () => {
    expect(findMergeFieldError('Hi {{first_name|friend}} {{ZONE_NAME}}')).toBeNull();
    expect(findMergeFieldError('Hi {{firstname}}')).toEqual({ unknown: 'firstname' });
    expect(findMergeFieldError('Hi {{first_name')).toBe('broken');
  });
});

describe('HTML that somebody wrote', () => {
  it('goes into the text editor when that knows all of it', () => {
    expect(canEditAsRichText('<h1 style="margin:0">A</h1><p>b <strong>c</strong><br></p><ul><li>d</li></ul>')).toBe(
      true,
    );
    expect(canEditAsRichText('<table><tr><td>a</td></tr></table>')).toBe(false);
    expect(canEditAsRichText('<style>p{}</style><p>a</p>')).toBe(false);
  });

  it('is blank when a reader would see nothing', () => {
    expect(isBlankHtml('<p> </p><p><br></p>')).toBe(true);
    expect(isBlankHtml('<img src="https://example.org/a.png">')).toBe(false);
    expect(isBlankHtml('<p>a</p>')).toBe(false);
  });
});

describe('a campaign as it is written', () => {
  const full = { ...emptyDraft, zoneId: '7', name: ' News ', subject: ' Hello ', htmlContent: '<p>Hi</p>' };

  it('names what is missing in the order of the form', () => {
    expect(findMissingFields(emptyDraft)).toEqual(['zone', 'name', 'subject', 'content']);
    expect(findMissingFields({ ...full, subject: '  ' })).toEqual(['subject']);
    expect(findMissingFields(full)).toEqual([]);
  });

  it('can be a draft without a name, but not with a faulty field', () => {
    expect(isSavableDraft({ ...full, name: '' })).toBe(true);
    expect(isSavableDraft({ ...full, htmlContent: '<p>{{oops}}</p>' })).toBe(false);
    expect(isSavableDraft({ ...full, zoneId: '' })).toBe(false);
  });

  it('is sent trimmed, and without a name when it has none', () => {
    expect(toRequestBody(full)).toEqual({
      ...{ zoneId: 7, name: 'News', subject: 'Hello', htmlContent: '<p>Hi</p>' },
      ...{ targetAudience: 'all', trackingEnabled: true },
    });
    expect(toRequestBody({ ...full, name: ' ' })).not.toHaveProperty('name');
  });
});

describe('the time of a schedule', () => {
  it('is what a clock in the time zone shows', () => {
    const instant = Date.parse('2026-11-30T22:30:00Z');
    expect(toLocalDateTime('Europe/Istanbul', instant)).toEqual({ date: '2026-12-01', time: '01:30' });
    expect(toLocalDateTime('America/New_York', instant)).toEqual({ date: '2026-11-30', time: '17:30' });
  });

  it('must be a day and a time that there are', () => {
    expect(isValidDateTime('2026-02-28', '23:59')).toBe(true);
    expect(isValidDateTime('2026-02-30', '10:00')).toBe(false);
    expect(isValidDateTime('2026-02-28', '')).toBe(false);
  });

  it('can be given in the own time zone even when the browser does not list it', () => {
    expect(timeZonesIncluding('Etc/Own')[0]).toBe('Etc/Own');
    expect(timeZonesIncluding('Europe/Istanbul').filter((name) => name === 'Europe/Istanbul')).toHaveLength(1);
  });
});

describe('a text with merge fields in a list', () => {
  it('reads as it would be filled in; what is no field stays', () => {
    const put = (field: string, fallback: string) => (field === 'zone_name' ? 'Watercolour' : fallback || `[${field}]`);
    expect(replaceMergeFields('Hi {{ First_Name|you }}, {{email}}: {{zone_name}} {{other}}', put)).toBe(
      'Hi you, [email]: Watercolour {{other}}',
    );
  });
});
