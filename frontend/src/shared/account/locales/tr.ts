import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  username: {
    label: 'Kullanıcı adı',
    help: '3-30 harf, rakam ve alt çizgi.',
    checking: 'Denetleniyor…',
    failed: 'Kullanıcı adı denetlenemedi',
  },
} satisfies Texts<typeof en>;
