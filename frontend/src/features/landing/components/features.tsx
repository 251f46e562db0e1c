import { useTranslation } from 'react-i18next';
import { FolderIcon, LockIcon, EmailIcon } from '../../../shared/public-ui/icons';

const features = [
  { name: 'creators', Icon: FolderIcon },
  { name: 'mail', Icon: EmailIcon },
  { name: 'zones', Icon: LockIcon },
] as const;

export function Features() {
  const { t } = useTranslation('landing');
  return (
    <section className="z-band" aria-labelledby="features">
      <h2 id="features">{t('features.title')}</h2>
      <ul className="z-cards z-cards-three">
        {features.map(({ name, Icon }) => (
          <li key={name} className="z-card">
            <Icon />
            <h3>{t(`features.${name}.title`)}</h3>
            <p className="z-second">{t(`features.${name}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
