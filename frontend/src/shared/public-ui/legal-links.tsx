import { useTranslation } from 'react-i18next';
import { LegalLink } from '../site/legal-link';
import './legal-links.css';

/** Legal links below a form that asks for an email address. */
export function LegalLinks() {
  const { t } = useTranslation();
  return (
    <p className="z-legal-line">
      <LegalLink page="terms" opensNewTab>
        {t('footer.terms')}
      </LegalLink>
      <LegalLink page="privacy" opensNewTab>
        {t('footer.privacy')}
      </LegalLink>
      <LegalLink page="imprint" opensNewTab>
        {t('footer.imprint')}
      </LegalLink>
    </p>
  );
}
