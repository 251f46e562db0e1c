import CloseRounded from '@mui/icons-material/CloseRounded';
import InfoOutlined from '@mui/icons-material/InfoOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sender } from '../senders';
import { IntegrationInfo } from './integration-info';

/** Opens the connection details of a sender in a side panel, for screens that have no tab for them. */
export function IntegrationInfoButton({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { t: tCommon } = useTranslation();
  const titleId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const paper = { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: 'min(600px, 100vw)' } };
  return (
    <>
      <Button startIcon={<InfoOutlined />} onClick={() => setIsOpen(true)}>
        {t('info.title')}
      </Button>
      <Drawer anchor="right" open={isOpen} onClose={close} slotProps={{ paper }}>
        <Box sx={{ display: 'grid', gap: 5, p: { xs: 4, sm: 6 } }}>
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
            <Typography id={titleId} variant="h2">
              {t('info.title')}
            </Typography>
            <IconButton aria-label={tCommon('actions.close')} edge="end" onClick={close} autoFocus>
              <CloseRounded />
            </IconButton>
          </Box>
          {isOpen && <IntegrationInfo sender={sender} />}
        </Box>
      </Drawer>
    </>
  );
}
