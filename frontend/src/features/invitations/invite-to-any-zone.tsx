import PersonAddRounded from '@mui/icons-material/PersonAddRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { InviteDialog } from './components/invite-dialog';

const INVITE_DIALOG = 'invite';

/** Button to invite people from outside a zone; the dialog asks for the zone. `?do=invite` opens it. */
export function InviteToAnyZone() {
  const { t } = useTranslation('invitations');
  const [query, setQuery] = useSearchParams();
  return (
    <>
      <Button
        startIcon={<PersonAddRounded />}
        aria-haspopup="dialog"
        onClick={() => setQuery({ do: INVITE_DIALOG }, { preventScrollReset: true })}
        sx={{ justifyContent: 'flex-start' }}
      >
        {t('action')}
      </Button>
      <InviteDialog
        open={query.get('do') === INVITE_DIALOG}
        onClose={() => setQuery({}, { replace: true, preventScrollReset: true })}
      />
    </>
  );
}
