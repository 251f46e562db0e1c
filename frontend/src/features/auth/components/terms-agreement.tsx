import { useTranslation } from 'react-i18next';
import { LegalLink, useLegalUrls, type LegalPage } from '../../../shared/site/legal-link';

/** Marks a link within a sentence: `[terms:these words]`. */
const LEGAL_LINK_PATTERN = /\[(terms|privacy):([^\]]+)\]/;

/** What users agree to by creating an account, if the operator has published legal texts. */
export function TermsAgreement() {
  const { t } = useTranslation('auth');
  const { terms, privacy } = useLegalUrls();
  if (terms === null && privacy === null) return null;
  const sentence = t(terms === null ? 'register.hasRead' : 'register.agrees');
  // Text, page, words, text, page, words, …
  const parts = sentence.split(LEGAL_LINK_PATTERN);
  return (
    <p className="z-auth-small z-second">
      {parts.map((part, index) => {
        if (index % 3 === 0) return part;
        if (index % 3 === 1) return null;
        return (
          <LegalLink key={index} page={parts[index - 1] as LegalPage} opensNewTab className="z-link">
            {part}
          </LegalLink>
        );
      })}
    </p>
  );
}
