import { type Theme, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, nextTick, onMounted, watch } from 'vue';
import CopyPage from './CopyPage.vue';
import './style.css';
import {
  markMain,
  openAskedSearch,
  rememberLanguage,
  showOwnAddress,
  showRememberedLanguage,
} from './page.ts';
import TryWidget from './TryWidget.vue';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
  enhanceApp({ app }) {
    app.component('TryWidget', TryWidget);
  },
  setup() {
    const route = useRoute();
    const prepare = () => {
      markMain();
      showOwnAddress();
      showRememberedLanguage();
    };
    onMounted(() => {
      prepare();
      rememberLanguage();
      openAskedSearch();
    });
    watch(
      () => route.path,
      () => nextTick(prepare),
    );
  },
} satisfies Theme;
