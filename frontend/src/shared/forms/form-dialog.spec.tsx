import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderComponent } from '../../../test/render';
import { FormField } from '../ui/fields/form-field';
import { DialogForm, FormDialog } from './form-dialog';
import { unsavedChanges } from './unsaved-changes';
import { useForm } from './use-form';

type Submit = (values: { name: string }) => Promise<void>;

function Fields({ submit }: { submit: Submit }) {
  const form = useForm({ initial: { name: '' }, submit });
  return (
    <DialogForm title="New Zone" form={form} submitLabel="Create">
      <FormField {...form.field('name')} label="Name" />
    </DialogForm>
  );
}

function TestDialog({ submit = () => Promise.resolve() }: { submit?: Submit }) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <FormDialog open={open} onClose={() => setOpen(false)}>
        <Fields submit={submit} />
      </FormDialog>
    </>
  );
}

const queryDialog = () => screen.queryByRole('dialog', { name: 'New Zone' });
const queryDiscardDialog = () => screen.queryByRole('dialog', { name: 'Discard your changes?' });
const waitUntilGone = (find: () => HTMLElement | null) => waitFor(() => expect(find()).not.toBeInTheDocument());
const clickOutside = () => {
  const container = document.querySelector('.MuiDialog-container')!;
  fireEvent.mouseDown(container);
  fireEvent.click(container);
};

describe('Form dialog', () => {
  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    ['a click outside', () => act(async () => clickOutside())],
  ])('closes at once by %s while nothing was entered', async (_, leave) => {
    const { user } = await renderComponent(<TestDialog />);
    await leave(user);
    await waitUntilGone(queryDialog);
  });

  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    ['a click outside', () => act(async () => clickOutside())],
  ])('asks after %s before discarding entered values', async (_, leave) => {
    const { user } = await renderComponent(<TestDialog />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    expect(unsavedChanges.hasAny()).toBe(true);
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    await waitUntilGone(queryDiscardDialog);
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Course');
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitUntilGone(queryDialog);
    expect(unsavedChanges.hasAny()).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('');
  });

  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    [
      'a click outside, which moves the focus',
      () =>
        act(async () => {
          (document.activeElement as HTMLElement).blur();
          clickOutside();
        }),
    ],
  ])('asks again after %s while the previous question fades out and focuses the field', async (_, leave) => {
    const { user } = await renderComponent(<TestDialog />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    await user.type(field, 'Course');
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    expect(field).toHaveFocus();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitUntilGone(queryDialog);
  });

  it('handles Escape right after a question was answered', async () => {
    const { user } = await renderComponent(<TestDialog />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.keyboard('{Escape}');
    const stay = await screen.findByRole('button', { name: 'Keep Editing' });
    // Within one task, no time passes for the closing transition.
    fireEvent.click(stay);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(screen.getByRole('button', { name: 'Discard' })).toBeInTheDocument();
  });

  it('stays open while it is being submitted', async () => {
    const slow = Promise.withResolvers<void>();
    const { user } = await renderComponent(<TestDialog submit={() => slow.promise} />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.keyboard('{Escape}');
    await act(async () => clickOutside());
    expect(queryDiscardDialog()).not.toBeInTheDocument();
    expect(queryDialog()).toBeInTheDocument();
    expect(unsavedChanges.hasAny()).toBe(false);
    await act(async () => slow.resolve());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled());
    await user.keyboard('{Escape}');
    await waitUntilGone(queryDialog);
  });

  it('closes by Cancel without a question', async () => {
    const { user } = await renderComponent(<TestDialog />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitUntilGone(queryDialog);
  });
});
