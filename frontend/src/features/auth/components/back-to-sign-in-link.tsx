import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Link back to the sign-in page, at the bottom of a card. */
export function BackToSignInLink() {
  const { t } = useTranslation('auth');
  return (
    <div className="z-auth-back-link">
      <Link className="z-link z-standalone-link" to="/auth">
        {t('backToLogin')}
      </Link>
    </div>
  );
}
