import { languages } from '../../platform/errors/app-error.js';
import { formatActivityMessage } from './activity.messages.js';

describe('formatActivityMessage', () => {
  it('names the person and the action in both languages', () => {
    const params = { zoneName: 'Yoga', fileName: 'plan.pdf' };
    expect(formatActivityMessage('file.uploaded', params, 'Ada', 'en')).toBe('Ada uploaded “plan.pdf” to “Yoga”');
    expect(formatActivityMessage('file.uploaded', params, 'Ada', 'tr')).toBe(
      'Ada, “Yoga” bölgesine “plan.pdf” dosyasını yükledi',
    );
  });

  it('says "Someone" when the user no longer exists', () => {
    expect(formatActivityMessage('member.joined', { zoneName: 'Yoga' }, null, 'en')).toBe('Someone joined “Yoga”');
    expect(formatActivityMessage('member.joined', { zoneName: 'Yoga' }, null, 'tr')).toBe(
      'Birisi, “Yoga” bölgesine katıldı',
    );
  });

  it('inserts names literally, including replacement patterns', () => {
    const params = { zoneName: '{who} $& {fileName}', fileName: '$1' };
    for (const language of languages) {
      expect(formatActivityMessage('file.viewed', params, 'Ada', language)).toContain('{who} $& {fileName}');
      expect(formatActivityMessage('file.viewed', params, 'Ada', language)).toContain('$1');
    }
  });
});
