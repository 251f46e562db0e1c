import { useTranslation } from 'react-i18next';
import { LegalLink } from '../site/legal-link';
import './legal-links.css';

/** What somebody may want to read who is about to give their address, below the form. */
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
