import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { containingFolderUrl, type Entry } from '../entries';

/** Path of a search result; empty in a folder's own list. */
export function EntryLocation({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files');
  if (!entry.path) return null;
  const pathText = entry.path.map(({ name }) => name).join(' / ') || t('search.top');
  return (
    <Typography variant="body2" color="textSecondary" component="p" noWrap title={pathText}>
      <MuiLink
        component={Link}
        to={containingFolderUrl(entry)}
        underline="hover"
        tabIndex={-1}
        aria-label={t('search.location', { place: pathText })}
        sx={{ position: 'relative', zIndex: 1, fontWeight: 'fontWeightRegular' }}
      >
        {pathText}
      </MuiLink>
    </Typography>
  );
}
