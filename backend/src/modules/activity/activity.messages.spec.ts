import { languages } from '../../platform/errors/app-error.js';
import { formatActivityMessage } from './activity.messages.js';

describe('the words of a record', () => {
  it('name who did what, in both languages', () => {
    const params = { zoneName: 'Yoga', fileName: 'plan.pdf' };
    expect(formatActivityMessage('file.uploaded', params, 'Ada', 'en')).toBe('Ada uploaded “plan.pdf” to “Yoga”');
    expect(formatActivityMessage('file.uploaded', params, 'Ada', 'tr')).toBe(
      'Ada, “Yoga” bölgesine “plan.pdf” dosyasını yükledi',
    );
  });

  it('say somebody when the person is gone', () => {
    expect(formatActivityMessage('member.joined', { zoneName: 'Yoga' }, null, 'en')).toBe('Someone joined “Yoga”');
    expect(formatActivityMessage('member.joined', { zoneName: 'Yoga' }, null, 'tr')).toBe(
      'Birisi, “Yoga” bölgesine katıldı',
    );
  });

  it('fill what a name may hold as it is', () => {
    const params = { zoneName: '{who} $& {fileName}', fileName: '$1' };
    for (const language of languages) {
      expect(formatActivityMessage('file.viewed', params, 'Ada', language)).toContain('{who} $& {fileName}');
      expect(formatActivityMessage('file.viewed', params, 'Ada', language)).toContain('$1');
    }
  });
});
