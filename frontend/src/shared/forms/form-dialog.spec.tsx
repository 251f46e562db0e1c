import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderPiece } from '../../../test/render';
import { FormField } from '../ui/fields/form-field';
import { DialogForm, FormDialog } from './form-dialog';
import { unsaved } from './unsaved';
import { useForm } from './use-form';

type Submit = (values: { name: string }) => Promise<void>;

function Fields({ submit }: { submit: Submit }) {
  const form = useForm({ initial: { name: '' }, submit });
  return (
    <DialogForm title="New Zone" form={form} submit="Create">
      <FormField {...form.field('name')} label="Name" />
    </DialogForm>
  );
}

function Sample({ submit = () => Promise.resolve() }: { submit?: Submit }) {
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

const dialog = () => screen.queryByRole('dialog', { name: 'New Zone' });
const question = () => screen.queryByRole('dialog', { name: 'Discard your changes?' });
const gone = (find: () => HTMLElement | null) => waitFor(() => expect(find()).not.toBeInTheDocument());
const clickBeside = () => {
  const container = document.querySelector('.MuiDialog-container')!;
  fireEvent.mouseDown(container);
  fireEvent.click(container);
};

describe('a dialog with a form', () => {
  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    ['a click beside it', () => act(async () => clickBeside())],
  ])('is closed at once by %s while nothing was written', async (_, leave) => {
    const { user } = await renderPiece(<Sample />);
    await leave(user);
    await gone(dialog);
  });

  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    ['a click beside it', () => act(async () => clickBeside())],
  ])('keeps what was written after %s until somebody lets it go', async (_, leave) => {
    const { user } = await renderPiece(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    expect(unsaved.any()).toBe(true);
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    await gone(question);
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Course');
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await gone(dialog);
    expect(unsaved.any()).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('');
  });

  it.each([
    ['Escape', (user: { keyboard: (keys: string) => Promise<void> }) => user.keyboard('{Escape}')],
    [
      'a click beside it, which takes the focus away',
      () =>
        act(async () => {
          (document.activeElement as HTMLElement).blur();
          clickBeside();
        }),
    ],
  ])('asks again after %s while the answered question still fades, and has the field focused', async (_, leave) => {
    const { user } = await renderPiece(<Sample />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    await user.type(field, 'Course');
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
    expect(field).toHaveFocus();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await gone(dialog);
  });

  it('has the keys at once after a question: Escape is not lost on one that fades', async () => {
    const { user } = await renderPiece(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.keyboard('{Escape}');
    const stay = await screen.findByRole('button', { name: 'Keep Editing' });
    // Within one task no time passes for what fades.
    fireEvent.click(stay);
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(screen.getByRole('button', { name: 'Discard' })).toBeInTheDocument();
  });

  it('stays while it is being sent: what would be closed could still be done', async () => {
    const slow = Promise.withResolvers<void>();
    const { user } = await renderPiece(<Sample submit={() => slow.promise} />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.keyboard('{Escape}');
    await act(async () => clickBeside());
    expect(question()).not.toBeInTheDocument();
    expect(dialog()).toBeInTheDocument();
    expect(unsaved.any()).toBe(false);
    await act(async () => slow.resolve());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled());
    await user.keyboard('{Escape}');
    await gone(dialog);
  });

  it('is closed by Cancel without a question', async () => {
    const { user } = await renderPiece(<Sample />);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Course');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await gone(dialog);
  });
});
