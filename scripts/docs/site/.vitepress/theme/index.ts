import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';
import TryWidget from './TryWidget.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('TryWidget', TryWidget);
  },
} satisfies Theme;
