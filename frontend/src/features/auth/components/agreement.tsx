import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { LegalLink, useLegal, type LegalPage } from '../../../shared/site/legal-link';

/** What a sentence marks as a link: `[terms:these words]`. */
const MARK = /\[(terms|privacy):([^\]]+)\]/;

/** What somebody agrees to by creating an account, where whoever runs the installation has said something. */
export function Agreement() {
  const { t } = useTranslation('auth');
  const { terms, privacy } = useLegal();
  if (terms === null && privacy === null) return null;
  const sentence = t(terms === null ? 'register.hasRead' : 'register.agrees');
  // Text, page, words, text, page, words, …
  const pieces = sentence.split(MARK);
  return (
    <Typography variant="body2" color="textSecondary">
      {pieces.map((piece, at) => {
        if (at % 3 === 0) return piece;
        if (at % 3 === 1) return null;
        return (
          <LegalLink key={at} of={pieces[at - 1] as LegalPage} besideForm className="z-link">
            {piece}
          </LegalLink>
        );
      })}
    </Typography>
  );
}
