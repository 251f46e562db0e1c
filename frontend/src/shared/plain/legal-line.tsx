import { useTranslation } from 'react-i18next';
import { LegalLink } from '../site/legal-link';
import './legal-line.css';

/** What somebody may want to read who is about to give their address, below the form. */
export function LegalLine() {
  const { t } = useTranslation();
  return (
    <p className="z-legal-line">
      <LegalLink of="terms" besideForm>
        {t('footer.terms')}
      </LegalLink>
      <LegalLink of="privacy" besideForm>
        {t('footer.privacy')}
      </LegalLink>
      <LegalLink of="imprint" besideForm>
        {t('footer.imprint')}
      </LegalLink>
    </p>
  );
}
