import type { Texts } from '../../preferences/language';
import type en from './en';

export default {
  view: { label: 'Görünüm', grid: 'Izgara', list: 'Liste' },
  sort: {
    label: 'Sıralama: {{key}}',
    by: 'Sırala',
    toAscending: 'Artan düzende sırala',
    toDescending: 'Azalan düzende sırala',
  },
} satisfies Texts<typeof en>;
