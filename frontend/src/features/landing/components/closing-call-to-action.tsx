import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';

/** Repeats the sign-up action at the end of the page. */
export function ClosingCallToAction() {
  const { t } = useTranslation('landing');
  const { data: user } = useCurrentUser();
  return (
    <section className="z-card z-closing" aria-labelledby="closing">
      <h2 id="closing">{t('closing.title')}</h2>
      <p className="z-second">{t('closing.text')}</p>
      <Link to={user ? '/dashboard' : '/auth?mode=register'} className="z-button z-button-main z-button-large">
        {user ? t('dashboard') : t('start')}
      </Link>
    </section>
  );
}
