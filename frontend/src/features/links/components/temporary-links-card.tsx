import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { temporaryLinkUrl } from '../../../shared/format/zone-urls';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useLinks, type LinkItem } from '../api/use-links';
import { useLinkActions } from '../use-link-actions';
import { AnalyticsPanel } from './analytics-panel';
import { LinkDialog } from './link-dialog';
import { LinkRow } from './link-row';
import { QrDialog } from './qr-dialog';

interface Props {
  zoneId: number;
  zoneName: string;
}

/** The open dialog or panel and its link; a new link has none. */
export type OpenOverlay =
  | { what: 'create' }
  | { what: 'created'; token: string }
  | { what: 'edit' | 'qr' | 'analytics' | 'delete'; id: number };

/** The temporary links of a private zone. */
export function TemporaryLinksCard({ zoneId, zoneName }: Props) {
  const { t } = useTranslation('links');
  const { data: links, error, refetch } = useLinks(zoneId);
  const [openOverlay, setOpenOverlay] = useState<OpenOverlay | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    if (openOverlay?.what !== 'created') return setOpenOverlay(null);
    flushSync(() => setOpenOverlay(null));
    // The previously focused form is gone after the link was created.
    createButton.current?.focus();
  };
  return (
    <SectionCard
      title={t('title')}
      text={t('text')}
      action={
        <Button
          ref={createButton}
          variant="contained"
          color="primary"
          startIcon={<AddRounded />}
          onClick={() => setOpenOverlay({ what: 'create' })}
        >
          {t('create')}
        </Button>
      }
    >
      {error && !links && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!links && !error && <RowsSkeleton rows={2} />}
      {links?.length === 0 && <Typography color="textSecondary">{t('empty')}</Typography>}
      {links && links.length > 0 && (
        <Box component="ul" aria-label={t('title')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {links.map((link) => (
            <LinkRow key={link.id} link={link} onOpen={(what) => setOpenOverlay({ what, id: link.id })} />
          ))}
        </Box>
      )}
      <LinkOverlays
        {...{ zoneId, zoneName, opened: openOverlay }}
        links={links ?? []}
        onCreated={(token) => setOpenOverlay({ what: 'created', token })}
        onClose={close}
      />
    </SectionCard>
  );
}

interface OverlaysProps extends Props {
  links: readonly LinkItem[];
  opened: OpenOverlay | null;
  onCreated: (token: string) => void;
  onClose: () => void;
}

/** Dialogs and the side panel of the list, always with the current state of the link. */
function LinkOverlays({ zoneId, zoneName, links, opened, onCreated, onClose }: OverlaysProps) {
  const { t } = useTranslation('links');
  const { remove, isRemoving } = useLinkActions();
  const selectedLink = opened && 'id' in opened ? links.find(({ id }) => id === opened.id) : undefined;
  const isOpen = (what: OpenOverlay['what']) => opened?.what === what && selectedLink !== undefined;
  return (
    <>
      <LinkDialog
        zoneId={zoneId}
        open={opened?.what === 'create' || isOpen('edit')}
        link={opened?.what === 'edit' ? selectedLink : undefined}
        onClose={onClose}
        onCreated={onCreated}
      />
      {opened?.what === 'created' && (
        <QrDialog open isNew name={zoneName} address={temporaryLinkUrl(opened.token)} onClose={onClose} />
      )}
      {selectedLink && (
        <>
          <QrDialog
            open={isOpen('qr')}
            name={zoneName}
            address={temporaryLinkUrl(selectedLink.token)}
            onClose={onClose}
          />
          <AnalyticsPanel
            open={isOpen('analytics')}
            zoneId={zoneId}
            linkId={selectedLink.id}
            name={selectedLink.name}
            figures={selectedLink}
            csvUrl={`/api/temporary-links/${selectedLink.id}/usages.csv`}
            onClose={onClose}
          />
          <ConfirmDialog
            open={isOpen('delete')}
            title={t('deleteTitle', { name: selectedLink.name })}
            confirmLabel={t('menu.delete')}
            isPending={isRemoving}
            onConfirm={() => void remove(selectedLink, onClose)}
            onClose={onClose}
          >
            {t('deleteText')}
          </ConfirmDialog>
        </>
      )}
    </>
  );
}
