import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { StandaloneLink } from '../../../shared/ui/standalone-link';
import type { ItemLink } from '../api/use-item-links';
import { LinkMenu, type LinkAction } from '../components/link-menu';
import { GuessingWarning, LinkName, LinkUsage } from '../components/link-state';
import { useItemLinkActions } from '../use-link-actions';

interface Props {
  link: ItemLink;
  /** Shows to which file or folder the link leads. */
  showsItem: boolean;
  onOpen: (what: LinkAction) => void;
}

/** A link to a file or folder: its state, its terms, and what guests did. */
export function ItemLinkRow({ link, showsItem, onOpen }: Props) {
  const { t } = useTranslation('links');
  const { copy, setActive } = useItemLinkActions();
  const label = t('copyOf', { name: link.name });
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 2,
        py: 3,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
          <LinkName link={link} />
        </Box>
        {showsItem && <ItemPlace link={link} />}
        <LinkTerms link={link} />
        <GuessingWarning link={link} />
        <Box sx={{ mt: 1, maxWidth: 240 }}>
          <LinkUsage link={link} />
        </Box>
        <GuestActivity link={link} />
      </Box>
      <Box sx={{ display: 'flex', flex: 'none' }}>
        <Tooltip title={label}>
          <IconButton aria-label={label} onClick={() => void copy(link)}>
            <ContentCopyRounded />
          </IconButton>
        </Tooltip>
        <LinkMenu
          link={link}
          onOpen={onOpen}
          onCopy={() => void copy(link)}
          onActiveChange={(isActive) => void setActive(link, isActive)}
        />
      </Box>
    </Box>
  );
}

/** The file or folder, as a link to where it is in the zone. */
function ItemPlace({ link: { zoneId, fileId, folderId, parentFolderId, itemName, isInTrash } }: { link: ItemLink }) {
  const { t } = useTranslation('links');
  if (isInTrash) return <Typography variant="body2">{t('item.inTrash', { name: itemName })}</Typography>;
  const parent = parentFolderId === null ? '' : `/folders/${parentFolderId}`;
  const key = fileId === null ? `folder-${folderId}` : `file-${fileId}`;
  return <StandaloneLink to={`/zones/${zoneId}${parent}?item=${key}`}>{itemName}</StandaloneLink>;
}

function LinkTerms({ link: { expiresAt, state, needsEmail, allowDownload, allowUploads } }: { link: ItemLink }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const expiry =
    expiresAt === null
      ? t('item.endless')
      : t(state === 'expired' ? 'ended' : 'ends', { when: format.dateTime(expiresAt) });
  const facts = [
    expiry,
    needsEmail && t('item.asksEmail'),
    !allowDownload && t('item.noDownload'),
    allowUploads && t('item.acceptsFiles'),
  ];
  return (
    <Typography variant="body2" color="textSecondary">
      {facts.filter(Boolean).join(' · ')}
    </Typography>
  );
}

/** Nothing until somebody has used the link. */
function GuestActivity({ link: { views, downloads, lastVisitAt } }: { link: ItemLink }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const now = useNow();
  if (lastVisitAt === null) return null;
  const facts = [
    t('item.views', { count: views, formatted: format.number(views) }),
    t('item.downloads', { count: downloads, formatted: format.number(downloads) }),
    t('item.lastVisit', { when: format.relative(lastVisitAt, now) }),
  ];
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
      {facts.join(' · ')}
    </Typography>
  );
}
