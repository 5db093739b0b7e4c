/** Draws a data URI without loading it: a page's policy may forbid `data:` images. */
export async function blur(canvas: HTMLCanvasElement | null, placeholder: string): Promise<void> {
  if (!canvas || canvas.title) return;
  canvas.title = ' ';
  const bytes = Uint8Array.from(atob(placeholder.split(',')[1] ?? ''), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
}
