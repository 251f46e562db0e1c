import { useTranslation } from 'react-i18next';
import { FolderIcon, LockIcon, PeopleIcon } from '../../../shared/public-ui/icons';

const benefits = [
  { name: 'secure', Icon: LockIcon },
  { name: 'team', Icon: PeopleIcon },
  { name: 'zones', Icon: FolderIcon },
] as const;

/** Benefits of the product, next to the form on wide screens. */
export function ProductBenefits() {
  const { t } = useTranslation('auth');
  return (
    <ul className="z-auth-benefits" aria-label={t('advantages.label')}>
      {benefits.map(({ name, Icon }) => (
        <li key={name}>
          <Icon />
          <div>
            <p>{t(`advantages.${name}`)}</p>
            <p className="z-second">{t(`advantages.${name}Text`)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
